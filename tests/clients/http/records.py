"""Records as strict clients build them: a key more, a key less or another type is an error."""

import json
from dataclasses import dataclass, fields
from datetime import datetime


@dataclass
class Record:
    def __post_init__(self):
        for field in fields(self):
            value = getattr(self, field.name)
            if not isinstance(value, field.type):
                raise TypeError(f"{type(self).__name__}.{field.name} is {value!r}")
            if field.name.endswith("_at"):
                datetime.strptime(value, "%Y-%m-%dT%H:%M:%SZ")


@dataclass
class Settings(Record):
    model: str
    prompt: str
    temperature: int | float
    rate_limit: list
    rate_limit_message: str
    show_citations: bool
    visibility: str


@dataclass
class Chatbot(Record):
    uuid: str
    name: str
    meta: dict
    created_at: str
    modified_at: str

    @property
    def settings(self):
        return Settings(**self.meta)


@dataclass
class DataSource(Record):
    uuid: str
    title: str
    type: str
    status: str
    file_name: str
    file_size: int | float
    tokens: int | float
    meta_json: str
    created_at: str
    modified_at: str

    @property
    def meta(self):
        return json.loads(self.meta_json)


@dataclass
class Session(Record):
    uuid: str
    created_at: str
    modified_at: str


@dataclass
class FetchedSession(Session):
    meta: dict


@dataclass
class Citation(Record):
    data_source_uuid: str
    title: str
    text: str
    file_name: str
    type: str


@dataclass
class Message(Record):
    uuid: str
    query: str
    response: str
    finish_reason: str
    error_message: str
    cite_data_json: str
    meta_json: str
    feedback_json: str | None
    labels: list
    session_documents: list
    background_pending_tasks: int
    detected_frustrations: str | None
    ai_context_json: str
    created_at: str
    modified_at: str

    @property
    def citations(self):
        cited = json.loads(self.cite_data_json)
        return {marker: Citation(**citation) for marker, citation in cited.items()}
