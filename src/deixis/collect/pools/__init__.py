"""Pools: what a study hands out. Each is a model of its options with ``build(data)``."""

TABLE = {
    ("any", "games"): "deixis.collect.pools.games:Games",
    ("any", "pairs"): "deixis.collect.pools.pairs:PairPool",
    ("any", "tangrams"): "deixis.collect.pools.tangrams:Tangrams",
}
