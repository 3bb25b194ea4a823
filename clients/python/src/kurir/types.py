"""The shapes of answers, and of arguments that are objects."""

# Written from docs/openapi.json by `npm run generate`.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal, TypedDict, Union


class AccountEvent(TypedDict):
    id: str
    created_at: str
    device_id: str | None
    sequence: int
    type: Literal["quota.low", "quota.exhausted", "plan.expiring"]
    subject: AccountEventSubject
    data: AccountEventData


class AccountEventData(TypedDict):
    used_percent: int | None
    days_left: int | None
    ends_at: str | None


class AccountEventSubject(TypedDict):
    type: Literal["account"]
    id: str


class AccountInfoAnswer(TypedDict):
    user_id: str
    session_id: str
    plan: str
    plan_type: str
    start_date: str
    expiry_date: str
    days_left: int
    initial_quota: str
    remaining_quota: str


class AddBroadcastRecipientsAnswer(TypedDict):
    broadcast_id: str
    recipients: int


class AddSuppressionsAnswer(TypedDict):
    added: int
    cancelled: int


class ArchiveTemplateAnswer(TypedDict):
    template_id: str


class Broadcast(TypedDict):
    broadcast_id: str
    name: str
    category: Literal["authentication", "transactional", "marketing"]
    state: Literal[
        "draft",
        "checking",
        "ready",
        "scheduled",
        "running",
        "paused",
        "finished",
        "cancelled",
    ]
    paused_by: Literal["user", "guard", "window", "no_device", "quota"] | None
    device_ids: list[str]
    pace_per_minute: int | None
    send_at: str | None
    recipients: int
    planned_share: float | None
    audience_problem: BroadcastAudienceProblem | None
    created_at: str
    started_at: str | None
    ended_at: str | None
    window: BroadcastWindow | None
    max_per_person_a_day: int | None
    guards: BroadcastGuards
    tripped: BroadcastTripped | None


class BroadcastAudience(TypedDict, total=False):
    """Exactly one of `rows`, `upload_id` and `contacts`. A file and contacts are read by a worker,
    while the broadcast is `checking`."""

    rows: Sequence[BroadcastRow]
    upload_id: str
    mapping: BroadcastAudienceMapping
    contacts: BroadcastAudienceContacts


class BroadcastAudienceContacts(TypedDict, total=False):
    """The contacts that match, as `GET /api/v1/contacts` lists them. An empty filter means all."""

    list: str
    phone: str
    attribute: str
    locale: str
    has_consent: bool
    q: str


class _BroadcastAudienceMappingRequired(TypedDict):
    phone: str


class BroadcastAudienceMapping(_BroadcastAudienceMappingRequired, total=False):
    """For `upload_id`. If left out, Kurir guesses the column with phone numbers."""

    values: Mapping[str, str]


class BroadcastAudienceProblem(TypedDict):
    code: str
    row: int | None
    error: str


class BroadcastCheck(TypedDict):
    broadcast: Broadcast
    counts: BroadcastCounts
    sendable: int
    shares: list[BroadcastCheckShare]
    new_contacts: int
    remaining_quota: str
    samples: list[BroadcastCheckSample]


class BroadcastCheckSample(TypedDict):
    phone: str
    text: str


class BroadcastCheckShare(TypedDict):
    device_id: str
    known: int
    pace_per_minute: int | None


class BroadcastCounts(TypedDict):
    pending: int
    skipped: list[BroadcastCountsSkipped]
    messages: dict[str, int]
    failed: list[BroadcastCountsFailed]


class BroadcastCountsFailed(TypedDict):
    reason: Literal[
        "recipient_not_on_network",
        "recipient_unavailable",
        "rejected_by_network",
        "rate_limited_by_network",
        "new_contacts_restricted",
        "recipient_token_required",
        "recipient_address_refused",
        "temporarily_unavailable",
        "content_unreadable",
        "recipient_suppressed",
        "device_unlinked",
        "no_answer",
    ]
    count: int


class BroadcastCountsSkipped(TypedDict):
    reason: Literal[
        "invalid_number",
        "unreadable_row",
        "duplicate",
        "missing_value",
        "text_refused",
        "suppressed",
        "too_often",
        "no_open_hour",
        "cancelled",
        "erased",
    ]
    count: int


class BroadcastEvent(TypedDict):
    id: str
    created_at: str
    device_id: str | None
    sequence: int
    type: Literal["broadcast.state_changed"]
    subject: BroadcastEventSubject
    data: BroadcastEventData


class BroadcastEventData(TypedDict):
    broadcast_id: str
    state: Literal[
        "draft",
        "checking",
        "ready",
        "scheduled",
        "running",
        "paused",
        "finished",
        "cancelled",
    ]
    reason: Literal["user", "guard", "window", "no_device", "quota"] | None


class BroadcastEventSubject(TypedDict):
    type: Literal["broadcast"]
    id: str


class BroadcastGuards(TypedDict):
    failed_percent: int | None
    opted_out_percent: int | None


class BroadcastRecipient(TypedDict):
    position: int
    phone: str | None
    outcome: Literal[
        "pending",
        "skipped",
        "queued",
        "sending",
        "sent",
        "delivered",
        "read",
        "failed",
        "expired",
        "cancelled",
        "unknown",
    ]
    reason: Literal[
        "invalid_number",
        "unreadable_row",
        "duplicate",
        "missing_value",
        "text_refused",
        "suppressed",
        "too_often",
        "no_open_hour",
        "cancelled",
        "erased",
        "recipient_not_on_network",
        "recipient_unavailable",
        "rejected_by_network",
        "rate_limited_by_network",
        "new_contacts_restricted",
        "recipient_token_required",
        "recipient_address_refused",
        "temporarily_unavailable",
        "content_unreadable",
        "recipient_suppressed",
        "device_unlinked",
        "no_answer",
    ] | None
    job_id: str | None
    device_id: str | None


class _BroadcastRowRequired(TypedDict):
    phone: str


class BroadcastRow(_BroadcastRowRequired, total=False):
    values: Mapping[str, str]


class BroadcastTripped(TypedDict):
    what: Literal["failed", "opted_out"]
    device_id: str
    count: int


_BroadcastWindowFrom = TypedDict("_BroadcastWindowFrom", {"from": "str"})


class BroadcastWindow(_BroadcastWindowFrom):
    to: str
    zone: Literal["recipient", "account"]


class CancelLinkAnswer(TypedDict):
    device_id: str
    state: Literal["disconnected"]


class CancelMessageAnswer(TypedDict):
    job_id: str
    status: Literal["cancelled"]


class CancelMessagesAnswer(TypedDict):
    cancelled: int
    has_more: bool


class CancelMessagesFilter(TypedDict, total=False):
    """Name at least one field. Kurir cancels only waiting messages, whatever the filter names."""

    status: Literal["queued", "scheduled"]
    device_id: str
    phone_destination: str
    client_ref: str
    priority: Literal["otp", "normal", "bulk"]
    broadcast_id: str
    since: datetime | str
    until: datetime | str


class ChangeContactListsAnswer(TypedDict):
    changed: int
    has_more: bool


class ChangeContactListsFilter(TypedDict, total=False):
    """An empty filter means all contacts."""

    list: str
    phone: str
    attribute: str
    locale: str
    has_consent: bool
    q: str


class Chat(TypedDict):
    id: str
    type: Literal["direct", "group"]


class ChatPresenceAnswer(TypedDict):
    pass


class CheckContactsAnswer(TypedDict):
    checked: list[CheckContactsAnswerChecked]


class CheckContactsAnswerChecked(TypedDict):
    asked: str
    phone: str | None
    on_network: Literal["yes", "no", "unknown", "no_number"]
    at: str | None
    error: str | None


class Contact(TypedDict):
    contact_id: str
    phone: str
    name: str | None
    locale: str | None
    time_zone: str | None
    attributes: dict[str, str]
    lists: list[str]
    consent: ContactConsent | None
    created_at: str
    updated_at: str


class ContactConsent(TypedDict):
    source: str
    at: str


class ContactIdentifiedEvent(TypedDict):
    id: str
    created_at: str
    device_id: str | None
    sequence: int
    type: Literal["contact.identified"]
    subject: ContactIdentifiedEventSubject
    data: ContactIdentifiedEventData


class ContactIdentifiedEventData(TypedDict):
    conversation_id: str
    device_id: str
    user_id: str | None
    phone: str | None


class ContactIdentifiedEventSubject(TypedDict):
    type: Literal["conversation"]
    id: str


class ContactImport(TypedDict):
    import_id: str
    upload_id: str
    file_name: str | None
    state: Literal["waiting", "running", "done", "cancelled", "failed"]
    problem: ContactImportProblem | None
    progress: float
    rows: int
    added: int
    updated: int
    unchanged: int
    refused: int
    refused_by_code: list[ContactImportRefusedByCode]
    created_at: str
    ended_at: str | None


class ContactImportProblem(TypedDict):
    code: str
    row: int | None
    error: str


class ContactImportRefusedByCode(TypedDict):
    code: str
    rows: int
    error: str


class ContactOptedInEvent(TypedDict):
    id: str
    created_at: str
    device_id: str | None
    sequence: int
    type: Literal["contact.opted_in"]
    subject: ContactOptedInEventSubject
    data: ContactOptedInEventData


class ContactOptedInEventData(TypedDict):
    conversation_id: str
    device_id: str
    user_id: str | None
    phone: str | None
    message_id: str


class ContactOptedInEventSubject(TypedDict):
    type: Literal["conversation"]
    id: str


class ContactOptedOutEvent(TypedDict):
    id: str
    created_at: str
    device_id: str | None
    sequence: int
    type: Literal["contact.opted_out"]
    subject: ContactOptedOutEventSubject
    data: ContactOptedOutEventData


class ContactOptedOutEventData(TypedDict):
    conversation_id: str
    device_id: str
    user_id: str | None
    phone: str | None
    message_id: str


class ContactOptedOutEventSubject(TypedDict):
    type: Literal["conversation"]
    id: str


class Conversation(TypedDict):
    conversation_id: str
    device_id: str
    type: Literal["direct", "group"]
    phone: str | None
    user_id: str | None
    name: str | None
    unread: int
    last_message_at: str
    created_at: str


_ConversationMessageFrom = TypedDict("_ConversationMessageFrom", {"from": "Person | None"})


class ConversationMessage(_ConversationMessageFrom):
    message_id: str
    direction: Literal["inbound", "outbound"]
    kind: Literal["message", "edited", "deleted", "reaction", "undecryptable"]
    job_id: str | None
    status: Literal[
        "queued",
        "sending",
        "sent",
        "delivered",
        "read",
        "failed",
        "expired",
        "cancelled",
        "unknown",
        "scheduled",
    ] | None
    reason: Literal[
        "recipient_not_on_network",
        "recipient_unavailable",
        "rejected_by_network",
        "rate_limited_by_network",
        "new_contacts_restricted",
        "recipient_token_required",
        "recipient_address_refused",
        "temporarily_unavailable",
        "content_unreadable",
        "recipient_suppressed",
        "device_unlinked",
        "no_answer",
    ] | None
    broadcast: ConversationMessageBroadcast | None
    priority: Literal["otp", "normal", "bulk"] | None
    network_message_id: str | None
    type: Literal[
        "text",
        "image",
        "video",
        "audio",
        "voice",
        "document",
        "sticker",
        "location",
        "contacts",
        "poll",
        "unsupported",
    ] | None
    text: str | None
    media: InboundMedia | None
    location: InboundLocation | None
    contacts: list[ConversationMessageContact] | None
    poll: ConversationMessagePoll | None
    raw_type: str | None
    reply_to: ConversationMessageReplyTo | None
    target_id: str | None
    emoji: str | None
    forwarded: bool
    at: str


class ConversationMessageBroadcast(TypedDict):
    broadcast_id: str
    name: str | None


class ConversationMessageContact(TypedDict):
    name: str | None
    phones: list[str]


class ConversationMessagePoll(TypedDict):
    question: str
    options: list[str]
    choices: int


class ConversationMessageReplyTo(TypedDict):
    message_id: str | None
    job_id: str | None
    text: str | None


class CountedBroadcast(TypedDict):
    broadcast: Broadcast
    counts: BroadcastCounts
    text: CountedBroadcastText | None
    rate_per_minute: float | None
    ends_about: str | None


class CountedBroadcastText(TypedDict):
    message: str
    footer: str | None


class CreateBroadcastGuards(TypedDict, total=False):
    """The broadcast pauses if so many of the last 50 messages of a device failed, or so many of
    their recipients opted out. 20 and 3 if left out. Null: never."""

    failed_percent: int | None
    opted_out_percent: int | None


_CreateBroadcastWindowFrom = TypedDict("_CreateBroadcastWindowFrom", {"from": "str"})


class _CreateBroadcastWindowRequired(_CreateBroadcastWindowFrom):
    to: str


class CreateBroadcastWindow(_CreateBroadcastWindowRequired, total=False):
    zone: Literal["recipient", "account"]


class _CreateContactImportConsentRequired(TypedDict):
    source: str


class CreateContactImportConsent(_CreateContactImportConsentRequired, total=False):
    """The consent of all people in the file."""

    at: datetime | str


class _CreateContactImportMappingRequired(TypedDict):
    phone: str


class CreateContactImportMapping(_CreateContactImportMappingRequired, total=False):
    name: str
    locale: str
    time_zone: str
    attributes: Mapping[str, str]


class CreateDeviceAnswer(TypedDict):
    device_id: str
    state: Literal["disconnected", "pairing", "connecting", "connected", "banned"]
    created_at: str
    name: str
    network: str


class CreateWebhookAnswer(TypedDict):
    webhook: Webhook
    secret: str


class DeleteContactAnswer(TypedDict):
    contact_id: str


class DeleteDeviceAnswer(TypedDict):
    device_id: str


class DeleteWebhookAnswer(TypedDict):
    webhook_id: str


class _DeviceRequired(TypedDict):
    device_id: str
    name: str
    network: str
    state: Literal["disconnected", "pairing", "connecting", "connected", "banned"]
    state_reason: str | None
    state_detail: str | None
    state_advice: str | None
    state_until: str | None
    phone_number: str | None
    pairing: DevicePairing | None
    settings: DeviceSettings
    new_contacts: DeviceNewContacts
    health: Literal["good", "watch", "at_risk", "restricted"]
    created_at: str


class Device(_DeviceRequired, total=False):
    activity: DeviceActivity


class DeviceActivity(TypedDict):
    linked: bool
    state_since: str
    last_connected_at: str | None
    pairing_method: Literal["qr", "pairing_code"] | None
    backlog: DeviceActivityBacklog
    health: DeviceActivityHealth


class DeviceActivityBacklog(TypedDict):
    """How many messages wait to be sent. No number goes above 100,000."""

    otp: int
    normal: int
    bulk: int
    scheduled: int


class DeviceActivityHealth(TypedDict):
    level: Literal["well", "slowed", "restricted", "down"]
    sent: int
    failed: int
    unknown: int


class DeviceEvent(TypedDict):
    id: str
    created_at: str
    device_id: str | None
    sequence: int
    type: Literal["device.state_changed", "device.limits_changed"]
    subject: DeviceEventSubject
    data: DeviceEventData


class DeviceEventData(TypedDict):
    state: Literal["disconnected", "pairing", "connecting", "connected", "banned"] | None
    reason: str | None
    until: str | None


class DeviceEventSubject(TypedDict):
    type: Literal["device"]
    id: str


class DeviceHealth(TypedDict):
    device_id: str
    health: Literal["good", "watch", "at_risk", "restricted"]
    reasons: list[DeviceHealthReason]
    counted_at: str | None
    days: list[DeviceHealthDay]


class DeviceHealthDay(TypedDict):
    day: str
    sent: int
    delivered: int
    failed: int
    refused: int
    unknown: int
    answers: int
    opted_out: int


class DeviceHealthReason(TypedDict):
    reason: Literal[
        "banned",
        "network_restriction",
        "network_warning",
        "failures",
        "opt_outs",
        "fewer_delivered",
    ]
    level: Literal["watch", "at_risk", "restricted"]
    percent: float | None
    advice: str


class DeviceInfoAnswer(TypedDict):
    device_id: str
    state: Literal["disconnected", "pairing", "connecting", "connected", "banned"]
    created_at: str


class DeviceNewContacts(TypedDict):
    waiting: DeviceNewContactsWaiting | None
    allowance: int | None
    used_today: int
    left: int | None
    left_for_codes: int | None
    paused_until: str | None
    warning: Literal["first", "second"] | None
    advice: str | None
    network_quota: DeviceNewContactsNetworkQuota | None


class DeviceNewContactsNetworkQuota(TypedDict):
    used: int
    total: int
    resets_at: str | None


class DeviceNewContactsWaiting(TypedDict):
    reason: str
    until: str | None


class DevicePairing(TypedDict):
    code: str
    valid_until: str


class DeviceSettings(TypedDict):
    pace_per_minute: int | None
    pace_jitter_ms: int
    typing_ms: int
    groups: Literal["none", "all"]
    new_contacts_policy: Literal["automatic", "fixed", "unlimited"]
    new_contacts_per_day: int | None
    proxy: str | None


class DisconnectDeviceAnswer(TypedDict):
    device_id: str


class FailedEvent(TypedDict):
    event_id: str
    type: str | None
    event: Event | None
    event_at: str
    tries: int
    failed_at: str


class GetMessageAnswer(TypedDict):
    job_id: str
    status: Literal[
        "queued",
        "sending",
        "sent",
        "delivered",
        "read",
        "failed",
        "expired",
        "cancelled",
        "unknown",
        "scheduled",
    ]
    reason: Literal[
        "recipient_not_on_network",
        "recipient_unavailable",
        "rejected_by_network",
        "rate_limited_by_network",
        "new_contacts_restricted",
        "recipient_token_required",
        "recipient_address_refused",
        "temporarily_unavailable",
        "content_unreadable",
        "recipient_suppressed",
        "device_unlinked",
        "no_answer",
    ] | None
    network_message_id: str | None
    device_id: str
    phone_destination: str
    priority: Literal["otp", "normal", "bulk"]
    category: Literal["authentication", "transactional", "marketing"]
    client_ref: str | None
    broadcast_id: str | None
    send_at: str | None
    expires_at: str | None
    created_at: str
    waiting: GetMessageAnswerWaiting | None
    attempts: int
    request_id: str
    sent_by: GetMessageAnswerSentBy
    can_cancel: bool
    can_retry: bool
    timeline: list[GetMessageAnswerTimeline]


class GetMessageAnswerSentBy(TypedDict):
    """The key that sent it, or the person who sent it from the dashboard."""

    id: str
    name: str | None


class GetMessageAnswerTimeline(TypedDict):
    status: Literal[
        "queued",
        "sending",
        "sent",
        "delivered",
        "read",
        "failed",
        "expired",
        "cancelled",
        "unknown",
        "scheduled",
    ]
    reason: Literal[
        "recipient_not_on_network",
        "recipient_unavailable",
        "rejected_by_network",
        "rate_limited_by_network",
        "new_contacts_restricted",
        "recipient_token_required",
        "recipient_address_refused",
        "temporarily_unavailable",
        "content_unreadable",
        "recipient_suppressed",
        "device_unlinked",
        "no_answer",
    ] | None
    at: str


class GetMessageAnswerWaiting(TypedDict):
    reason: Literal[
        "scheduled",
        "paused",
        "quiet_hours",
        "retry",
        "new_contact_allowance",
        "new_contact_pause",
        "network_restriction",
        "network_warning",
    ]
    until: str | None


class GetUploadAnswer(TypedDict):
    upload_id: str
    file_name: str | None
    bytes: int
    received_bytes: int
    parts: int
    part_max_bytes: int
    is_complete: bool
    created_at: str
    expires_at: str
    file: UploadedFile | None
    problem: GetUploadAnswerProblem | None


class GetUploadAnswerProblem(TypedDict):
    code: str
    error: str


class GetWebhookAnswer(TypedDict):
    webhook: Webhook
    replays: list[WebhookReplay]


class InboundLocation(TypedDict):
    latitude: float
    longitude: float
    name: str | None
    address: str | None
    live: bool


class InboundMedia(TypedDict):
    mime_type: str | None
    size: int | None
    file_name: str | None
    sha256: str | None
    seconds: float | None
    width: int | None
    height: int | None


class Job(TypedDict):
    job_id: str
    status: Literal[
        "queued",
        "sending",
        "sent",
        "delivered",
        "read",
        "failed",
        "expired",
        "cancelled",
        "unknown",
        "scheduled",
    ]
    reason: Literal[
        "recipient_not_on_network",
        "recipient_unavailable",
        "rejected_by_network",
        "rate_limited_by_network",
        "new_contacts_restricted",
        "recipient_token_required",
        "recipient_address_refused",
        "temporarily_unavailable",
        "content_unreadable",
        "recipient_suppressed",
        "device_unlinked",
        "no_answer",
    ] | None
    network_message_id: str | None
    device_id: str
    phone_destination: str
    priority: Literal["otp", "normal", "bulk"]
    category: Literal["authentication", "transactional", "marketing"]
    client_ref: str | None
    broadcast_id: str | None
    send_at: str | None
    expires_at: str | None
    created_at: str
    waiting: JobWaiting | None


class JobWaiting(TypedDict):
    reason: Literal[
        "scheduled",
        "paused",
        "quiet_hours",
        "retry",
        "new_contact_allowance",
        "new_contact_pause",
        "network_restriction",
        "network_warning",
    ]
    until: str | None


class LatestPlanAnswer(TypedDict):
    plan_name: str
    plan_type: str
    duration: str
    price: int
    quota: str


class LinkDeviceAnswer(TypedDict):
    device_id: str
    state: Literal["pairing"]


class ListAuditAnswer(TypedDict):
    entries: list[ListAuditAnswerEntry]
    next_cursor: str | None


class ListAuditAnswerEntrie(TypedDict):
    entry_id: str
    at: str
    actor: ListAuditAnswerEntrieActor
    action: str
    subject: str | None
    subject_name: str | None
    number_ends: str | None
    address: str | None


class ListAuditAnswerEntrieActor(TypedDict):
    """A person, a key, a payment provider, or the command line of the operator."""

    id: str
    name: str | None


class ListAuditAnswerEntry(TypedDict):
    entry_id: str
    at: str
    actor: ListAuditAnswerEntryActor
    action: str
    subject: str | None
    subject_name: str | None
    number_ends: str | None
    address: str | None


class ListAuditAnswerEntryActor(TypedDict):
    """A person, a key, a payment provider, or the command line of the operator."""

    id: str
    name: str | None


class ListBroadcastRecipientsAnswer(TypedDict):
    recipients: list[BroadcastRecipient]
    next_cursor: str | None


class ListBroadcastsAnswer(TypedDict):
    broadcasts: list[Broadcast]
    next_cursor: str | None


class ListContactListsAnswer(TypedDict):
    lists: list[ListContactListsAnswerList]


class ListContactListsAnswerList(TypedDict):
    name: str
    contacts: int


class ListContactsAnswer(TypedDict):
    contacts: list[Contact]
    next_cursor: str | None


class ListConversationMessagesAnswer(TypedDict):
    messages: list[ConversationMessage]
    next_cursor: str | None


class ListConversationsAnswer(TypedDict):
    conversations: list[ListedConversation]
    next_cursor: str | None


class ListDevicesAnswer(TypedDict):
    devices: list[Device]
    max_devices: int


class ListEventsAnswer(TypedDict):
    events: list[Event]
    next_cursor: str
    has_more: bool


class ListFailedEventsAnswer(TypedDict):
    events: list[FailedEvent]
    next_cursor: str | None


class ListMessagesAnswer(TypedDict):
    messages: list[Job]
    next_cursor: str | None


class ListRefusedRowsAnswer(TypedDict):
    refused: list[RefusedRow]
    next_cursor: str | None


class ListRequestsAnswer(TypedDict):
    requests: list[ListRequestsAnswerRequest]
    next_cursor: str | None


class ListRequestsAnswerRequest(TypedDict):
    request_id: str
    at: str
    api_key: str
    key_name: str | None
    operation: str | None
    method: str | None
    path: str | None
    status: int | None
    code: str | None
    duration_ms: int | None
    address: str | None
    not_recorded: int


class ListSuppressionsAnswer(TypedDict):
    suppressions: list[Suppression]
    next_cursor: str | None


class ListTemplateVersionsAnswer(TypedDict):
    versions: list[TemplateVersion]
    next_cursor: str | None


class ListTemplatesAnswer(TypedDict):
    templates: list[Template]
    next_cursor: str | None


class ListWebhookAttemptsAnswer(TypedDict):
    attempts: list[WebhookAttempt]
    next_cursor: str | None


class ListWebhooksAnswer(TypedDict):
    webhooks: list[Webhook]


class ListedConversation(TypedDict):
    conversation_id: str
    device_id: str
    type: Literal["direct", "group"]
    phone: str | None
    user_id: str | None
    name: str | None
    unread: int
    last_message_at: str
    created_at: str
    last_message: ConversationMessage | None


class MessageDeletedEvent(TypedDict):
    id: str
    created_at: str
    device_id: str | None
    sequence: int
    type: Literal["message.deleted"]
    subject: MessageDeletedEventSubject
    data: MessageDeletedEventData


_MessageDeletedEventDataFrom = TypedDict("_MessageDeletedEventDataFrom", {"from": "Person"})


class MessageDeletedEventData(_MessageDeletedEventDataFrom):
    message_id: str
    network_message_id: str | None
    device_id: str
    chat: Chat
    sent_at: str
    received_at: str
    target: MessageDeletedEventDataTarget


class MessageDeletedEventDataTarget(TypedDict):
    """The message that it is about."""

    message_id: str | None
    job_id: str | None
    network_message_id: str | None


class MessageDeletedEventSubject(TypedDict):
    type: Literal["conversation"]
    id: str


class MessageEditedEvent(TypedDict):
    id: str
    created_at: str
    device_id: str | None
    sequence: int
    type: Literal["message.edited"]
    subject: MessageEditedEventSubject
    data: MessageEditedEventData


_MessageEditedEventDataFrom = TypedDict("_MessageEditedEventDataFrom", {"from": "Person"})


class MessageEditedEventData(_MessageEditedEventDataFrom):
    message_id: str
    network_message_id: str | None
    device_id: str
    chat: Chat
    sent_at: str
    received_at: str
    target: MessageEditedEventDataTarget
    type: Literal[
        "text",
        "image",
        "video",
        "audio",
        "voice",
        "document",
        "sticker",
        "location",
        "contacts",
        "poll",
        "unsupported",
    ]
    text: str | None
    media: InboundMedia | None
    location: InboundLocation | None
    contacts: list[MessageEditedEventDataContact] | None
    poll: MessageEditedEventDataPoll | None
    raw_type: str | None


class MessageEditedEventDataContact(TypedDict):
    name: str | None
    phones: list[str]


class MessageEditedEventDataPoll(TypedDict):
    question: str
    options: list[str]
    choices: int


class MessageEditedEventDataTarget(TypedDict):
    """The message that it is about."""

    message_id: str | None
    job_id: str | None
    network_message_id: str | None


class MessageEditedEventSubject(TypedDict):
    type: Literal["conversation"]
    id: str


class MessageEvent(TypedDict):
    id: str
    created_at: str
    device_id: str | None
    sequence: int
    type: Literal[
        "message.accepted",
        "message.sending",
        "message.sent",
        "message.delivered",
        "message.read",
        "message.failed",
        "message.expired",
        "message.cancelled",
        "message.unknown",
        "message.waiting",
    ]
    subject: MessageEventSubject
    data: MessageEventData


class MessageEventData(TypedDict):
    job_id: str
    status: Literal[
        "queued",
        "sending",
        "sent",
        "delivered",
        "read",
        "failed",
        "expired",
        "cancelled",
        "unknown",
    ]
    reason: str | None
    until: str | None
    client_ref: str | None
    phone_destination: str | None
    priority: Literal["otp", "normal", "bulk"] | None
    network_message_id: str | None


class MessageEventSubject(TypedDict):
    type: Literal["message"]
    id: str


class MessageReactionEvent(TypedDict):
    id: str
    created_at: str
    device_id: str | None
    sequence: int
    type: Literal["message.reaction"]
    subject: MessageReactionEventSubject
    data: MessageReactionEventData


_MessageReactionEventDataFrom = TypedDict("_MessageReactionEventDataFrom", {"from": "Person"})


class MessageReactionEventData(_MessageReactionEventDataFrom):
    message_id: str
    network_message_id: str | None
    device_id: str
    chat: Chat
    sent_at: str
    received_at: str
    target: MessageReactionEventDataTarget
    emoji: str | None


class MessageReactionEventDataTarget(TypedDict):
    """The message that it is about."""

    message_id: str | None
    job_id: str | None
    network_message_id: str | None


class MessageReactionEventSubject(TypedDict):
    type: Literal["conversation"]
    id: str


class MessageReceivedEvent(TypedDict):
    id: str
    created_at: str
    device_id: str | None
    sequence: int
    type: Literal["message.received"]
    subject: MessageReceivedEventSubject
    data: MessageReceivedEventData


_MessageReceivedEventDataFrom = TypedDict("_MessageReceivedEventDataFrom", {"from": "Person"})


class MessageReceivedEventData(_MessageReceivedEventDataFrom):
    message_id: str
    network_message_id: str | None
    device_id: str
    chat: Chat
    sent_at: str
    received_at: str
    type: Literal[
        "text",
        "image",
        "video",
        "audio",
        "voice",
        "document",
        "sticker",
        "location",
        "contacts",
        "poll",
        "unsupported",
    ]
    text: str | None
    media: InboundMedia | None
    location: InboundLocation | None
    contacts: list[MessageReceivedEventDataContact] | None
    poll: MessageReceivedEventDataPoll | None
    raw_type: str | None
    reply_to: MessageReceivedEventDataReplyTo | None
    forwarded: bool
    offline: bool


class MessageReceivedEventDataContact(TypedDict):
    name: str | None
    phones: list[str]


class MessageReceivedEventDataPoll(TypedDict):
    question: str
    options: list[str]
    choices: int


class MessageReceivedEventDataReplyTo(TypedDict):
    message_id: str | None
    job_id: str | None
    text: str | None


class MessageReceivedEventSubject(TypedDict):
    type: Literal["conversation"]
    id: str


class MessageSentElsewhereEvent(TypedDict):
    id: str
    created_at: str
    device_id: str | None
    sequence: int
    type: Literal["message.sent_elsewhere"]
    subject: MessageSentElsewhereEventSubject
    data: MessageSentElsewhereEventData


class MessageSentElsewhereEventData(TypedDict):
    message_id: str
    network_message_id: str | None
    device_id: str
    chat: Chat
    sent_at: str
    received_at: str
    to: Person | None
    type: Literal[
        "text",
        "image",
        "video",
        "audio",
        "voice",
        "document",
        "sticker",
        "location",
        "contacts",
        "poll",
        "unsupported",
    ]
    text: str | None
    media: InboundMedia | None
    location: InboundLocation | None
    contacts: list[MessageSentElsewhereEventDataContact] | None
    poll: MessageSentElsewhereEventDataPoll | None
    raw_type: str | None
    reply_to: MessageSentElsewhereEventDataReplyTo | None
    forwarded: bool
    offline: bool


class MessageSentElsewhereEventDataContact(TypedDict):
    name: str | None
    phones: list[str]


class MessageSentElsewhereEventDataPoll(TypedDict):
    question: str
    options: list[str]
    choices: int


class MessageSentElsewhereEventDataReplyTo(TypedDict):
    message_id: str | None
    job_id: str | None
    text: str | None


class MessageSentElsewhereEventSubject(TypedDict):
    type: Literal["conversation"]
    id: str


class MessageUndecryptableEvent(TypedDict):
    id: str
    created_at: str
    device_id: str | None
    sequence: int
    type: Literal["message.undecryptable"]
    subject: MessageUndecryptableEventSubject
    data: MessageUndecryptableEventData


_MessageUndecryptableEventDataFrom = TypedDict(
    "_MessageUndecryptableEventDataFrom",
    {"from": "Person"},
)


class MessageUndecryptableEventData(_MessageUndecryptableEventDataFrom):
    message_id: str
    network_message_id: str | None
    device_id: str
    chat: Chat
    sent_at: str
    received_at: str
    offline: bool


class MessageUndecryptableEventSubject(TypedDict):
    type: Literal["conversation"]
    id: str


class OptOut(TypedDict):
    stop_words: list[str]
    start_words: list[str]
    stop_reply: str | None
    start_reply: str | None


class Person(TypedDict):
    phone: str | None
    user_id: str | None
    username: str | None
    name: str | None


class PingWebhookAnswer(TypedDict):
    webhook_id: str
    event_id: str


class PreviewTemplateAnswer(TypedDict):
    variables: list[TemplateVariable]
    rows: list[PreviewTemplateAnswerRow]
    equal_share: float | None
    warning: Literal["mostly_equal"] | None
    advice: str | None


class PreviewTemplateAnswerRow(TypedDict):
    phone: str
    text: str | None
    problem: Literal["missing", "too_long", "empty", "not_storable"] | None
    missing: list[str]
    code_points: int | None


class _PreviewTemplateRowRequired(TypedDict):
    phone: str


class PreviewTemplateRow(_PreviewTemplateRowRequired, total=False):
    values: Mapping[str, str]


class ReadMessageTextAnswer(TypedDict):
    job_id: str
    text: str | None
    withheld: Literal["one_time_code", "erased"] | None


class ReconnectDeviceAnswer(TypedDict):
    device_id: str
    state: Literal["disconnected", "pairing", "connecting", "connected", "banned"]


class RefusedRow(TypedDict):
    row: int
    column: str | None
    value: str
    code: str
    same_as_row: int | None
    error: str


class RemoveSuppressionAnswer(TypedDict):
    removed: bool


class RenewAccountAnswer(TypedDict):
    description: str
    payment_url: str
    renewal_id: str


class Renewal(TypedDict):
    renewal_id: str
    plan: str
    duration_days: int
    price: int
    quota: int | None
    method: str
    state: Literal["pending", "paid", "expired", "cancelled"]
    payment_url: str
    created_at: str
    expires_at: str
    paid_at: str | None


class RenewalEvent(TypedDict):
    id: str
    created_at: str
    device_id: str | None
    sequence: int
    type: Literal["renewal.paid"]
    subject: RenewalEventSubject
    data: RenewalEventData


class RenewalEventData(TypedDict):
    renewal_id: str
    plan: str | None
    price: int | None


class RenewalEventSubject(TypedDict):
    type: Literal["renewal"]
    id: str


class ReplayWebhookAnswer(TypedDict):
    events: int
    replay: WebhookReplay | None


class ResendEventAnswer(TypedDict):
    webhook_id: str
    event_id: str


class RotateWebhookSecretAnswer(TypedDict):
    webhook: Webhook
    secret: str


class SaveContactAnswer(TypedDict):
    contact: Contact
    created: bool


class _SaveContactConsentRequired(TypedDict):
    source: str


class SaveContactConsent(_SaveContactConsentRequired, total=False):
    at: datetime | str


class SendBulkAnswer(TypedDict):
    results: list[SendBulkAnswerResult]


class SendBulkAnswerResult(TypedDict, total=False):
    job_id: str
    code: str
    error: str


class SendMessageAnswer(TypedDict):
    job_id: str


class _SendRequestRequired(TypedDict):
    message: str


class SendRequest(_SendRequestRequired, total=False):
    phone_destination: str
    conversation_id: str
    reply_to: str
    client_ref: str
    priority: Literal["otp", "normal", "bulk"]
    category: Literal["authentication", "transactional", "marketing"]
    ttl_seconds: int
    send_at: datetime | str


class Suppression(TypedDict):
    phone: str | None
    user_id: str | None
    scope: Literal["marketing", "all"]
    reason: Literal["keyword", "complaint", "manual", "import", "bounced"]
    message_id: str | None
    added_by: str | None
    created_at: str


class Template(TypedDict):
    """A template with its latest version."""

    template_id: str
    name: str
    version: int
    text: str
    footer: str | None
    variables: list[TemplateVariable]
    archived_at: str | None
    created_at: str
    updated_at: str


class TemplateVariable(TypedDict):
    name: str
    required: bool


class TemplateVersion(TypedDict):
    version: int
    text: str
    footer: str | None
    created_by: TemplateVersionCreatedBy
    created_at: str


class TemplateVersionCreatedBy(TypedDict):
    id: str
    name: str | None


class TestBroadcastAnswer(TypedDict):
    job_id: str


class UpdateBroadcastGuards(TypedDict, total=False):
    """The broadcast pauses if so many of the last 50 messages of a device failed, or so many of
    their recipients opted out. 20 and 3 if left out. Null: never."""

    failed_percent: int | None
    opted_out_percent: int | None


_UpdateBroadcastWindowFrom = TypedDict("_UpdateBroadcastWindowFrom", {"from": "str"})


class _UpdateBroadcastWindowRequired(_UpdateBroadcastWindowFrom):
    to: str


class UpdateBroadcastWindow(_UpdateBroadcastWindowRequired, total=False):
    zone: Literal["recipient", "account"]


class _UpdateContactConsentRequired(TypedDict):
    source: str


class UpdateContactConsent(_UpdateContactConsentRequired, total=False):
    at: datetime | str


class UpdateWebhookAnswer(TypedDict):
    webhook: Webhook


class Upload(TypedDict):
    upload_id: str
    file_name: str | None
    bytes: int
    received_bytes: int
    parts: int
    part_max_bytes: int
    is_complete: bool
    created_at: str
    expires_at: str


class UploadedFile(TypedDict):
    form: Literal["csv", "ndjson"]
    encoding: str
    separator: Literal[",", ";", "\t"] | None
    columns: list[str]
    mapping: UploadedFileMapping
    preview: list[UploadedFilePreview]


class UploadedFileMapping(TypedDict):
    """The columns that probably hold these fields. Null: no column looks like it."""

    phone: str | None
    name: str | None
    locale: str | None
    time_zone: str | None


class UploadedFilePreview(TypedDict):
    row: int
    values: list[str]


class Webhook(TypedDict):
    webhook_id: str
    url: str
    description: str
    types: list[str]
    device_ids: list[str]
    mode: Literal["parallel", "ordered"]
    max_per_second: int | None
    enabled: bool
    disabled_reason: Literal["gone", "failing"] | None
    created_at: str
    secrets: list[WebhookSecret]
    health: WebhookHealth


class WebhookAttempt(TypedDict):
    attempt_id: str
    event_id: str
    type: str
    event: Event | None
    at: str
    tries: int
    outcome: Literal["delivered", "retrying", "failed", "probed"]
    status: int | None
    error: str | None
    duration_ms: int
    response: str | None
    next_try_at: str | None


class WebhookEvent(TypedDict):
    id: str
    created_at: str
    device_id: str | None
    sequence: int
    type: Literal["webhook.disabled", "webhook.recovered", "webhook.ping"]
    subject: WebhookEventSubject
    data: WebhookEventData


class WebhookEventData(TypedDict):
    webhook_id: str
    reason: str | None


class WebhookEventSubject(TypedDict):
    type: Literal["webhook"]
    id: str


class WebhookHealth(TypedDict):
    state: Literal["new", "healthy", "failing", "probed", "disabled"]
    last_success_at: str | None
    last_failure_at: str | None
    failing_since: str | None
    next_probe_at: str | None
    waiting_events: int
    failed_events: int


class WebhookReplay(TypedDict):
    replay_id: str
    since: str
    until: str
    types: list[str]
    events: int
    read_events: int
    created_at: str
    ended_at: str | None


class WebhookSecret(TypedDict):
    version: int
    created_at: str
    expires_at: str | None


Event = Union[
    "MessageEvent",
    "MessageReceivedEvent",
    "MessageEditedEvent",
    "MessageDeletedEvent",
    "MessageReactionEvent",
    "MessageUndecryptableEvent",
    "MessageSentElsewhereEvent",
    "ContactIdentifiedEvent",
    "ContactOptedOutEvent",
    "ContactOptedInEvent",
    "DeviceEvent",
    "AccountEvent",
    "RenewalEvent",
    "BroadcastEvent",
    "WebhookEvent",
]
