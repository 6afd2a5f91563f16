"""Other tools' files: logs of runs that are read back, results that are written for others.

A reader takes the path of a log and how to read it, and gives a `Log`; a writer takes a run that is
held and gives text, or writes a file.
"""

TABLE = {
    ("reader", "inspect"): "deixis.exchange.inspect_logs:read",
    ("reader", "harness"): "deixis.exchange.harness_logs:read",
    ("reader", "vlmevalkit"): "deixis.exchange.vlmevalkit_logs:read",
    ("reader", "table"): "deixis.exchange.table_logs:read",
    ("writer", "json"): "deixis.exchange.results:as_json",
    ("writer", "csv"): "deixis.exchange.rows_out:as_csv",
    ("writer", "parquet"): "deixis.exchange.rows_out:as_parquet",
    ("writer", "latex"): "deixis.exchange.results:as_latex",
    ("writer", "card"): "deixis.exchange.results:as_card",
    ("writer", "every-eval-ever"): "deixis.exchange.every_eval_ever:as_record",
    ("describer", "croissant"): "deixis.exchange.croissant:describe",
}
