"""Pages for those who run studies: progress, people, answers, money, exports, accounts."""
