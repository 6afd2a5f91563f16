"""Players: whatever replies to views. Adapters make players of encoders, scorers and files.

A part's builder takes the text behind the colon of ``--player NAME:ARGUMENT``, the task, and the
player's own options as keywords; it gives a Player, or a Learner that has to be fitted first.
A Learner whose players can be kept has a ``load(folder, task)``.
"""

TABLE = {
    ("any", "constant"): "deixis.players.common.constant:constant",
    ("any", "oracle"): "deixis.players.common.oracle:oracle",
    ("any", "planted"): "deixis.players.common.planted:planted",
    ("any", "replay"): "deixis.players.common.replay:replay",
    ("any", "call"): "deixis.players.common.call:call",
    ("any", "saved"): "deixis.players.common.saved:saved",
    ("statement", "majority"): "deixis.players.statement.majority:Majority",
    ("statement", "maxent"): "deixis.players.statement.maxent:MaxentLearner",
    ("statement", "maxent-detections"): "deixis.players.statement.counted:maxent_detections",
    ("statement", "grammar"): "deixis.players.statement.grammar:grammar",
    ("statement", "image-oracle"): "deixis.players.statement.image_oracle:image_oracle",
    ("statement", "people"): "deixis.players.statement.people:people",
    ("statement", "rnn"): "deixis.players.statement.rnn:rnn",
    ("statement", "cnn"): "deixis.players.statement.cnn:cnn",
    ("statement", "cnn-rnn"): "deixis.players.statement.cnn_rnn:cnn_rnn",
    ("statement", "film"): "deixis.players.statement.film:film",
    ("statement", "mac"): "deixis.players.statement.mac:mac",
    ("statement", "nmn"): "deixis.players.statement.nmn:nmn",
    ("statement", "n2nmn"): "deixis.players.statement.n2nmn:n2nmn",
    ("statement", "clip"): "deixis.players.statement.clip:clip",
    ("statement", "siglip"): "deixis.players.statement.clip:siglip",
    ("statement", "vilt"): "deixis.players.statement.vilt:vilt",
    ("statement", "threshold"): "deixis.players.statement.threshold:threshold",
    ("reference", "linear"): "deixis.players.reference.linear:LinearLearner",
    ("answering", "abot"): "deixis.players.answering.abot:abot",
    ("guessing", "constant"): "deixis.players.guessing.known:constant",
    ("guessing", "oracle"): "deixis.players.guessing.known:oracle",
    ("guessing", "planted"): "deixis.players.guessing.known:planted",
    ("guessing", "ideal"): "deixis.players.guessing.ideal:ideal",
    ("guessing", "linear"): "deixis.players.guessing.linear:LinearLearner",
    ("guessing", "bots"): "deixis.players.guessing.bots.learner:BotsLearner",
    ("guessing", "qbot"): "deixis.players.guessing.bots.learner:QbotLearner",
    ("any", "ensemble"): "deixis.players.common.ensemble:ensemble",
    ("reference", "clip"): "deixis.players.reference.clip:clip",
    ("reference", "siglip"): "deixis.players.reference.clip:siglip",
    ("reference", "aligned"): "deixis.players.reference.aligned:aligned",
    ("any", "hf-vlm"): "deixis.players.vlm.player:vlm",
    ("any", "chat"): "deixis.players.chat.options:chat",
    ("reference", "vilt"): "deixis.players.reference.vilt:vilt",
}
