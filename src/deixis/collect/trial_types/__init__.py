"""Trial types, one Python file and one ES module each; outside ones by an entry point."""

TABLE = {
    ("any", name): f"deixis.collect.trial_types.{name}:{name.upper()}"
    for name in (
        "consent",
        "read",
        "survey",
        "quiz",
        "describe_whole",
        "annotate_parts",
        "choose_target",
        "rate_set",
        "write_contrast",
        "validate_sentence",
        "dialog",
    )
}
