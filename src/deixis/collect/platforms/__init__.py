"""Where people come from and go back to; outside platforms by an entry point."""

TABLE = {
    ("any", "local"): "deixis.collect.platforms.generic:Local",
    ("any", "generic"): "deixis.collect.platforms.generic:Generic",
    ("any", "sona"): "deixis.collect.platforms.sona:Sona",
    ("any", "prolific"): "deixis.collect.platforms.prolific.platform:Prolific",
}
