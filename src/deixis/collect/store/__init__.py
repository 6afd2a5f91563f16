"""The store: all that is known of people, slots, answers and money, in SQLite or PostgreSQL."""
