"""What there is to say about a room: sixteen attributes of two values each."""

from __future__ import annotations

from dataclasses import dataclass

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Attribute:
    """One thing that is so or so; pairs hold the words for the first and the second value.

    Attributes:
        name: of the attribute.
        told: how a caption tells it.
        question: asks for it and gives nothing away.
        answers: to that question.
        presumed: questions that give it away, and that nobody can answer from the picture.
    """

    name: str
    told: Pair
    question: str
    answers: Pair
    presumed: Pair


ATTRIBUTES = (
    Attribute(
        "room",
        ("a kitchen", "a bedroom"),
        "which room is it?",
        ("kitchen", "bedroom"),
        ("who cooks in the kitchen?", "who sleeps in the bedroom?"),
    ),
    Attribute(
        "walls",
        ("yellow walls", "blue walls"),
        "what color are the walls?",
        ("yellow", "blue"),
        ("are the yellow walls new?", "are the blue walls new?"),
    ),
    Attribute(
        "door",
        ("an open door", "a closed door"),
        "is the door open?",
        ("yes", "no"),
        ("who opened the door?", "who closed the door?"),
    ),
    Attribute(
        "table",
        ("a round table", "a square table"),
        "what shape is the table?",
        ("round", "square"),
        ("is the round table heavy?", "is the square table heavy?"),
    ),
    Attribute(
        "lamp",
        ("a lamp that is on", "a lamp that is off"),
        "is the lamp on?",
        ("yes", "no"),
        ("how long has the lamp been on?", "how long has the lamp been off?"),
    ),
    Attribute(
        "cup",
        ("a red cup", "a green cup"),
        "what color is the cup?",
        ("red", "green"),
        ("is the red cup full?", "is the green cup full?"),
    ),
    Attribute(
        "window",
        ("daylight outside", "darkness outside"),
        "is it dark outside?",
        ("no", "yes"),
        ("is the day warm?", "is the night warm?"),
    ),
    Attribute(
        "chairs",
        ("two chairs", "three chairs"),
        "how many chairs are there?",
        ("two", "three"),
        ("are both chairs old?", "are all three chairs old?"),
    ),
    Attribute(
        "cat",
        ("a cat", "no cat"),
        "is there a cat?",
        ("yes", "no"),
        ("what is the cat called?", "where has the cat gone?"),
    ),
    Attribute(
        "floor",
        ("a wooden floor", "a tiled floor"),
        "what is the floor made of?",
        ("wood", "tiles"),
        ("is the wood loud to walk on?", "are the tiles cold to walk on?"),
    ),
    Attribute(
        "rug",
        ("a striped rug", "a plain rug"),
        "is the rug striped?",
        ("yes", "no"),
        ("are the stripes of the rug woven?", "why is the rug so plain?"),
    ),
    Attribute(
        "plant",
        ("a tall plant", "a small plant"),
        "how big is the plant?",
        ("tall", "small"),
        ("is the tall plant watered?", "is the small plant watered?"),
    ),
    Attribute(
        "painting",
        ("a picture on the wall", "bare walls"),
        "is there a picture on the wall?",
        ("yes", "no"),
        ("who painted the picture?", "why are the walls bare?"),
    ),
    Attribute(
        "curtains",
        ("white curtains", "purple curtains"),
        "what color are the curtains?",
        ("white", "purple"),
        ("are the white curtains thick?", "are the purple curtains thick?"),
    ),
    Attribute(
        "clock",
        ("a clock", "no clock"),
        "is there a clock?",
        ("yes", "no"),
        ("is the clock right?", "what happened to the clock?"),
    ),
    Attribute(
        "box",
        ("an orange box", "a brown box"),
        "what color is the box?",
        ("orange", "brown"),
        ("what is in the orange box?", "what is in the brown box?"),
    ),
)
"""In the order in which captions, answers and questions take them up."""

IDLE = (
    ("are there any people?", "no"),
    ("is it a photo?", "no"),
    ("can you hear music?", "can't tell"),
    ("what time is it?", "can't tell"),
    ("does it look clean?", "yes"),
    ("is the picture in color?", "yes"),
    ("is anything broken?", "no"),
    ("what does it smell like?", "can't tell"),
    ("are you sure?", "yes"),
    ("would you live there?", "can't tell"),
)
"""Questions whose answers are the same in every room."""

UNKNOWN = "can't tell"
"""The answer to what nobody can see."""
