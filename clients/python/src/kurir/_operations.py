"""The operations of the API, one method each."""

# Written from docs/openapi.json by `npm run generate`.

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Literal

from . import types
from ._calls import Calls
from ._requests import Route
from ._unset import UNSET, Unset


class Operations(Calls):
    """One method for each operation. It returns the ``data`` of the answer.

    Each raises ``KurirError`` if the gateway refuses or does not answer, and ValueError if the
    call cannot be sent as it is. A time may be a text or a datetime with its zone. An argument that
    is left out is not sent.
    """

    def send_message(
        self,
        *,
        message: str,
        phone_destination: str | None = None,
        conversation_id: str | None = None,
        reply_to: str | None = None,
        client_ref: str | None = None,
        priority: Literal["otp", "normal", "bulk"] | None = None,
        category: Literal["authentication", "transactional", "marketing"] | None = None,
        ttl_seconds: int | None = None,
        send_at: datetime | str | None = None,
        device_id: str | None = None,
        timeout: float | None = None,
    ) -> types.SendMessageAnswer:
        """Send a text message.

        Kurir answers after it has stored the message. Use the job_id to follow it.

        The key needs the scope `messages:send`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            message: The text, 1 to 4096 code points. Kurir sends it exactly as given.
            phone_destination: The number as people write it, such as 0812 3456 7890 or +62 812 3456
                7890. A number that begins with 0 belongs to the country of the account. Digits
                alone have a country code. Kurir stores digits with the country code.
            conversation_id: Send to the person of this conversation, also if the number is hidden.
                The device is that of the conversation.
            reply_to: The message of the same chat that this one answers: a message_id or a job_id.
            client_ref: Your own id for this message. A repeated request with this id gets the first
                job_id. The account can use the id for another message after 24 hours at the
                earliest.
            priority: Kurir sends `otp` before `normal`, and `normal` before `bulk`. The default is
                `normal`.
            category: The purpose of the message. A person who opted out gets no `marketing`. The
                default for `otp` is `authentication`; the other priorities have `transactional`.
            ttl_seconds: Kurir does not send the message later than this many seconds after send_at,
                or after acceptance if there is no send_at. The default for `otp` is 300; the other
                priorities have none.
            send_at: When to send the message, up to 30 days ahead.
            device_id: The device of this call. The default is that of the client.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route(
                "POST",
                "/api/v1/messages/send",
                "first-answer",
                needs_device=True,
                has_client_ref=True,
            ),
            body={
                "message": message,
                "phone_destination": phone_destination,
                "conversation_id": conversation_id,
                "reply_to": reply_to,
                "client_ref": client_ref,
                "priority": priority,
                "category": category,
                "ttl_seconds": ttl_seconds,
                "send_at": send_at,
            },
            device_id=device_id,
            timeout=timeout,
        )

    def send_bulk(
        self,
        *,
        messages: Sequence[types.SendRequest],
        device_id: str | None = None,
        timeout: float | None = None,
    ) -> types.SendBulkAnswer:
        """Send up to 1,000 messages in one signed request.

        The answer has one result per message, in order.

        The key needs the scope `messages:send`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            device_id: The device of this call. The default is that of the client.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route(
                "POST",
                "/api/v1/messages/bulk",
                "first-answer",
                needs_device=True,
                has_client_ref=True,
            ),
            body={"messages": messages},
            device_id=device_id,
            timeout=timeout,
        )

    def chat_presence(
        self,
        *,
        action: Literal["start", "stop"],
        phone_destination: str | None = None,
        conversation_id: str | None = None,
        device_id: str | None = None,
        timeout: float | None = None,
    ) -> types.ChatPresenceAnswer:
        """Start or stop the typing signal.

        It does not wait for other messages and costs no quota.

        The key needs the scope `presence:send`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            phone_destination: The number as people write it, such as 0812 3456 7890 or +62 812 3456
                7890. A number that begins with 0 belongs to the country of the account. Digits
                alone have a country code. Kurir stores digits with the country code.
            conversation_id: Send to the person of this conversation, also if the number is hidden.
                The device is that of the conversation.
            device_id: The device of this call. The default is that of the client.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/messages/chat-presence", "refuse", needs_device=True),
            body={
                "action": action,
                "phone_destination": phone_destination,
                "conversation_id": conversation_id,
            },
            device_id=device_id,
            timeout=timeout,
        )

    def list_messages(
        self,
        *,
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
        ] | None = None,
        device_id: str | None = None,
        phone_destination: str | None = None,
        client_ref: str | None = None,
        priority: Literal["otp", "normal", "bulk"] | None = None,
        broadcast_id: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        api_key: str | None = None,
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
        ] | None = None,
        q: str | None = None,
        job_ids: str | Sequence[str] | None = None,
        updated_since: datetime | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> types.ListMessagesAnswer:
        """List jobs, newest first, with filters and a cursor.

        With `q`, `api_key` or `reason` a request looks through 20,000 jobs: its page may be short
        or empty although `next_cursor` goes on.

        The key needs the scope `messages:read`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            client_ref: Your own id for this message. A repeated request with this id gets the first
                job_id. The account can use the id for another message after 24 hours at the
                earliest.
            broadcast_id: Only messages that this broadcast released.
            since: Only messages that were accepted at this time or later.
            until: Only messages that were accepted before this time.
            api_key: Only messages that this key sent.
            reason: Only messages with this reason.
            q: A job id or a client_ref. Or 4 digits or more of a phone number. Or 3 characters or
                more of a client_ref or of the name of a broadcast.
            job_ids: Up to 100 job ids, separated by commas. The answer leaves out ids that the
                account does not have.
            updated_since: Only jobs with an event at this time or later.
            limit: How many items a page has at most.
            cursor: The `next_cursor` of the page before. Left out: begin with the first page.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/messages", "harmless"),
            query={
                "status": status,
                "device_id": device_id,
                "phone_destination": phone_destination,
                "client_ref": client_ref,
                "priority": priority,
                "broadcast_id": broadcast_id,
                "since": since,
                "until": until,
                "api_key": api_key,
                "reason": reason,
                "q": q,
                "job_ids": job_ids,
                "updated_since": updated_since,
                "limit": limit,
                "cursor": cursor,
            },
            timeout=timeout,
        )

    def iter_messages(
        self,
        *,
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
        ] | None = None,
        device_id: str | None = None,
        phone_destination: str | None = None,
        client_ref: str | None = None,
        priority: Literal["otp", "normal", "bulk"] | None = None,
        broadcast_id: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        api_key: str | None = None,
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
        ] | None = None,
        q: str | None = None,
        job_ids: str | Sequence[str] | None = None,
        updated_since: datetime | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> Iterator[types.Job]:
        """Iterate over the items of :meth:`list_messages`, page by page."""
        return self._pages(
            "messages",
            self.list_messages,
            status=status,
            device_id=device_id,
            phone_destination=phone_destination,
            client_ref=client_ref,
            priority=priority,
            broadcast_id=broadcast_id,
            since=since,
            until=until,
            api_key=api_key,
            reason=reason,
            q=q,
            job_ids=job_ids,
            updated_since=updated_since,
            limit=limit,
            cursor=cursor,
            timeout=timeout,
        )

    def get_message(self, job_id: str, *, timeout: float | None = None) -> types.GetMessageAnswer:
        """Look up one job with its timeline.

        The key needs the scope `messages:read`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/messages/{job_id}", "harmless"),
            ids={"job_id": job_id},
            timeout=timeout,
        )

    def read_message_text(
        self,
        job_id: str,
        *,
        timeout: float | None = None,
    ) -> types.ReadMessageTextAnswer:
        """Read the text of one message.

        The audit log records it. The text of a one-time code is never shown.

        The key needs the scope `conversations:read`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/messages/{job_id}/text", "refuse"),
            ids={"job_id": job_id},
            timeout=timeout,
        )

    def cancel_message(
        self,
        job_id: str,
        *,
        timeout: float | None = None,
    ) -> types.CancelMessageAnswer:
        """Cancel a message that Kurir is not sending yet.

        Its quota comes back.

        The key needs the scope `messages:send`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/messages/{job_id}/cancel", "refuse"),
            ids={"job_id": job_id},
            timeout=timeout,
        )

    def cancel_messages(
        self,
        *,
        filter: types.CancelMessagesFilter,
        timeout: float | None = None,
    ) -> types.CancelMessagesAnswer:
        """Cancel up to 10,000 waiting messages that match a filter.

        Their quota comes back.

        The key needs the scope `messages:send`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            filter: Name at least one field. Kurir cancels only waiting messages, whatever the
                filter names.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/messages/cancel", "refuse"),
            body={"filter": filter},
            timeout=timeout,
        )

    def renew_account(
        self,
        *,
        payment_method: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.RenewAccountAnswer:
        """Renew the account's latest plan choice.

        Kurir creates a pending payment and the page to pay it.

        The key needs the scope `account:renew`. It needs a live key.

        Args:
            payment_method: `ordinary` is the default. `crypto` does not exist yet.
            idempotency_key: A name of the request. A repeat with the same name gets the same
                renewal, also when it is paid by then. If that one expired or was cancelled, a new
                one is made.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/account/renew", "refuse"),
            query={"payment_method": payment_method},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def get_renewal(self, renewal_id: str, *, timeout: float | None = None) -> types.Renewal:
        """Look up one renewal: whether it is pending, paid, expired or cancelled.

        The key needs the scope `account:read`. A test key may use it, too.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/account/renewals/{renewal_id}", "harmless"),
            ids={"renewal_id": renewal_id},
            timeout=timeout,
        )

    def create_device(
        self,
        *,
        name: str,
        network: Literal["whatsapp", "simulator"] | None = None,
        client_ref: str | None = None,
        pace_per_minute: int | Unset | None = UNSET,
        pace_jitter_ms: int | None = None,
        typing_ms: int | None = None,
        new_contacts_policy: Literal["automatic", "fixed", "unlimited"] | None = None,
        new_contacts_per_day: int | Unset | None = UNSET,
        proxy: str | Unset | None = UNSET,
        timeout: float | None = None,
    ) -> types.CreateDeviceAnswer:
        """Create a device.

        Link it to a messaging account afterwards. A repeated client_ref creates no second device.

        The key needs the scope `devices:write`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            name: A name by which people tell devices apart.
            network: The default is whatsapp.
            client_ref: Your own id for this device. A repeated request with this id gets the first
                device_id and creates no second device.
            pace_per_minute: The most messages per minute. Null: no limit. A new WhatsApp device has
                20.
            pace_jitter_ms: Each message waits for a random time up to this, in milliseconds. The
                average pace stays the same. A new WhatsApp device has 2000.
            typing_ms: How long the recipient sees the device typing before each text, in
                milliseconds. 0: not at all.
            new_contacts_policy: How Kurir limits the new contacts that the device may write to
                within 24 hours. A new contact is somebody whom the device has neither written to
                nor heard from. Messages to further new contacts wait. `automatic`: the limit starts
                low and grows with each day without a restriction or a warning of the network. The
                device pauses between two new contacts, and a fifth of the limit is kept for
                one-time codes. `fixed`: the limit is `new_contacts_per_day`. `unlimited`: Kurir
                sets no limit. A new WhatsApp device is `automatic`. The network may restrict an
                account that writes to many new contacts.
            new_contacts_per_day: The limit of the policy `fixed`: how many new contacts within 24
                hours. Kurir ignores it with the policy `automatic`. Without a policy, a number
                means `fixed` and null means `unlimited`. There is one exception: an `automatic`
                device stays `automatic` if the request repeats the number that the device shows.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route(
                "POST",
                "/api/v1/devices",
                "refuse",
                has_client_ref=True,
                nullable=("pace_per_minute", "new_contacts_per_day", "proxy"),
            ),
            body={
                "name": name,
                "network": network,
                "client_ref": client_ref,
                "pace_per_minute": pace_per_minute,
                "pace_jitter_ms": pace_jitter_ms,
                "typing_ms": typing_ms,
                "new_contacts_policy": new_contacts_policy,
                "new_contacts_per_day": new_contacts_per_day,
                "proxy": proxy,
            },
            timeout=timeout,
        )

    def update_device(
        self,
        *,
        name: str | None = None,
        groups: Literal["none", "all"] | None = None,
        pace_per_minute: int | Unset | None = UNSET,
        pace_jitter_ms: int | None = None,
        typing_ms: int | None = None,
        new_contacts_policy: Literal["automatic", "fixed", "unlimited"] | None = None,
        new_contacts_per_day: int | Unset | None = UNSET,
        proxy: str | Unset | None = UNSET,
        device_id: str | None = None,
        timeout: float | None = None,
    ) -> types.Device:
        """Change the name, the sending limits or the proxy of a device.

        A field that you leave out stays as it is. The change takes effect at once.

        The key needs the scope `devices:write`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            name: A name by which people tell devices apart.
            groups: Whether messages in groups arrive: `none` (default) or `all`. Kurir does not
                write to groups.
            pace_per_minute: The most messages per minute. Null: no limit. A new WhatsApp device has
                20.
            pace_jitter_ms: Each message waits for a random time up to this, in milliseconds. The
                average pace stays the same. A new WhatsApp device has 2000.
            typing_ms: How long the recipient sees the device typing before each text, in
                milliseconds. 0: not at all.
            new_contacts_policy: How Kurir limits the new contacts that the device may write to
                within 24 hours. A new contact is somebody whom the device has neither written to
                nor heard from. Messages to further new contacts wait. `automatic`: the limit starts
                low and grows with each day without a restriction or a warning of the network. The
                device pauses between two new contacts, and a fifth of the limit is kept for
                one-time codes. `fixed`: the limit is `new_contacts_per_day`. `unlimited`: Kurir
                sets no limit. A new WhatsApp device is `automatic`. The network may restrict an
                account that writes to many new contacts.
            new_contacts_per_day: The limit of the policy `fixed`: how many new contacts within 24
                hours. Kurir ignores it with the policy `automatic`. Without a policy, a number
                means `fixed` and null means `unlimited`. There is one exception: an `automatic`
                device stays `automatic` if the request repeats the number that the device shows.
            device_id: The device of this call. The default is that of the client.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route(
                "PATCH",
                "/api/v1/devices",
                "refuse",
                needs_device=True,
                nullable=("pace_per_minute", "new_contacts_per_day", "proxy"),
            ),
            body={
                "name": name,
                "groups": groups,
                "pace_per_minute": pace_per_minute,
                "pace_jitter_ms": pace_jitter_ms,
                "typing_ms": typing_ms,
                "new_contacts_policy": new_contacts_policy,
                "new_contacts_per_day": new_contacts_per_day,
                "proxy": proxy,
            },
            device_id=device_id,
            timeout=timeout,
        )

    def list_devices(
        self,
        *,
        device_id: str | None = None,
        include: Literal["activity"] | None = None,
        timeout: float | None = None,
    ) -> types.ListDevicesAnswer:
        """List the devices, oldest first.

        A device that is being linked shows the code to scan or type.

        The key needs the scope `devices:read`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            device_id: Only this device. The answer is 404 if the account does not have it.
            include: `activity`: each device also shows how many messages wait and how well it
                sends.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/devices", "harmless"),
            query={"device_id": device_id, "include": include},
            timeout=timeout,
        )

    def link_device(
        self,
        *,
        method: Literal["qr", "pairing_code"] | None = None,
        phone_number: str | None = None,
        device_id: str | None = None,
        timeout: float | None = None,
    ) -> types.LinkDeviceAnswer:
        """Start linking a device.

        Its code appears in the list of devices shortly afterwards. It changes until a phone uses
        it.

        The key needs the scope `devices:write`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            method: `qr` (default): the phone scans a QR. `pairing_code`: a person types a code into
                the phone.
            phone_number: The number of the phone: digits with country code. `pairing_code` requires
                it, and `qr` does not take it.
            device_id: The device of this call. The default is that of the client.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/devices/link", "refuse", needs_device=True),
            body={"method": method, "phone_number": phone_number},
            device_id=device_id,
            timeout=timeout,
        )

    def cancel_link(
        self,
        *,
        device_id: str | None = None,
        timeout: float | None = None,
    ) -> types.CancelLinkAnswer:
        """Stop linking a device and hide its code.

        If a phone uses the code at the same moment, Kurir unlinks it again.

        The key needs the scope `devices:write`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            device_id: The device of this call. The default is that of the client.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/devices/link/cancel", "refuse", needs_device=True),
            device_id=device_id,
            timeout=timeout,
        )

    def reconnect_device(
        self,
        *,
        device_id: str | None = None,
        timeout: float | None = None,
    ) -> types.ReconnectDeviceAnswer:
        """Connect a contested device again.

        Kurir stopped connecting it because another program used its credentials. For any other
        linked device this changes nothing.

        The key needs the scope `devices:write`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            device_id: The device of this call. The default is that of the client.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/devices/reconnect", "refuse", needs_device=True),
            device_id=device_id,
            timeout=timeout,
        )

    def disconnect_device(
        self,
        *,
        device_id: str | None = None,
        timeout: float | None = None,
    ) -> types.DisconnectDeviceAnswer:
        """Unlink the messaging account.

        Kurir logs out at the network and erases the session keys.

        The key needs the scope `devices:disconnect`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            device_id: The device of this call. The default is that of the client.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/devices/disconnect", "refuse", needs_device=True),
            device_id=device_id,
            timeout=timeout,
        )

    def delete_device(
        self,
        device_id: str,
        *,
        timeout: float | None = None,
    ) -> types.DeleteDeviceAnswer:
        """Delete a device that is not linked, with its name, number, contacts and settings.

        Its messages stay readable. Its client_ref is free again.

        The key needs the scope `devices:write`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("DELETE", "/api/v1/devices/{device_id}", "refuse"),
            ids={"device_id": device_id},
            timeout=timeout,
        )

    def device_info(
        self,
        *,
        device_id: str | None = None,
        timeout: float | None = None,
    ) -> types.DeviceInfoAnswer:
        """Look up the state of a device.

        The key needs the scope `devices:read`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            device_id: The device of this call. The default is that of the client.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/devices/info", "harmless", needs_device=True),
            device_id=device_id,
            timeout=timeout,
        )

    def device_health(self, device_id: str, *, timeout: float | None = None) -> types.DeviceHealth:
        """Look up the health of a device: a word, its reasons, and what became of its messages on
        each of the last 30 days.

        Workers count the days every few minutes.

        The key needs the scope `devices:read`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/devices/{device_id}/health", "harmless"),
            ids={"device_id": device_id},
            timeout=timeout,
        )

    def account_info(self, *, timeout: float | None = None) -> types.AccountInfoAnswer:
        """Look up the plan, the subscription period and the quota of the account.

        The key needs the scope `account:read`. A test key may use it, too.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(Route("GET", "/api/v1/account/info", "harmless"), timeout=timeout)

    def latest_plan(self, *, timeout: float | None = None) -> types.LatestPlanAnswer:
        """Look up the account's latest plan choice at its present price.

        The key needs the scope `account:read`. A test key may use it, too.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/account/planchoices/latest", "harmless"),
            timeout=timeout,
        )

    def list_conversations(
        self,
        *,
        device_id: str | None = None,
        phone: str | None = None,
        q: str | None = None,
        unread: bool | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> types.ListConversationsAnswer:
        """List conversations.

        The one in which somebody wrote last comes first.

        The key needs the scope `conversations:read`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            phone: Only the conversations with this number: digits with country code, without
                separators.
            q: A part of the name of the person or of their contact, or of the number.
            unread: `true`: only those with unread messages.
            limit: How many items a page has at most.
            cursor: The `next_cursor` of the page before. Left out: begin with the first page.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/conversations", "harmless"),
            query={
                "device_id": device_id,
                "phone": phone,
                "q": q,
                "unread": unread,
                "limit": limit,
                "cursor": cursor,
            },
            timeout=timeout,
        )

    def iter_conversations(
        self,
        *,
        device_id: str | None = None,
        phone: str | None = None,
        q: str | None = None,
        unread: bool | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> Iterator[types.ListedConversation]:
        """Iterate over the items of :meth:`list_conversations`, page by page."""
        return self._pages(
            "conversations",
            self.list_conversations,
            device_id=device_id,
            phone=phone,
            q=q,
            unread=unread,
            limit=limit,
            cursor=cursor,
            timeout=timeout,
        )

    def get_conversation(
        self,
        conversation_id: str,
        *,
        timeout: float | None = None,
    ) -> types.Conversation:
        """Look up one conversation.

        The id of one that was joined with an older one gives the older one.

        The key needs the scope `conversations:read`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/conversations/{conversation_id}", "harmless"),
            ids={"conversation_id": conversation_id},
            timeout=timeout,
        )

    def list_conversation_messages(
        self,
        conversation_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> types.ListConversationMessagesAnswer:
        """List the messages of both directions, newest first.

        The texts of one-time codes are left out.

        The key needs the scope `conversations:read`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            limit: How many items a page has at most.
            cursor: The `next_cursor` of the page before. Left out: begin with the first page.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/conversations/{conversation_id}/messages", "harmless"),
            ids={"conversation_id": conversation_id},
            query={"limit": limit, "cursor": cursor},
            timeout=timeout,
        )

    def iter_conversation_messages(
        self,
        conversation_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> Iterator[types.ConversationMessage]:
        """Iterate over the items of :meth:`list_conversation_messages`, page by page."""
        return self._pages(
            "messages",
            self.list_conversation_messages,
            conversation_id=conversation_id,
            limit=limit,
            cursor=cursor,
            timeout=timeout,
        )

    def mark_conversation_read(
        self,
        conversation_id: str,
        *,
        timeout: float | None = None,
    ) -> types.Conversation:
        """Mark all messages of the conversation as read.

        Kurir tells the network when the device is connected.

        The key needs the scope `conversations:write`. A test key may use it for devices of a
        sandbox network and what belongs to them.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/conversations/{conversation_id}/read", "refuse"),
            ids={"conversation_id": conversation_id},
            timeout=timeout,
        )

    def add_suppressions(
        self,
        *,
        phone: str | None = None,
        phones: Sequence[str] | None = None,
        scope: Literal["marketing", "all"] | None = None,
        reason: Literal["manual", "complaint", "import", "bounced"] | None = None,
        timeout: float | None = None,
    ) -> types.AddSuppressionsAnswer:
        """Suppress people: they get no marketing, or nothing.

        Messages that wait for them are cancelled.

        The key needs the scope `contacts:write`. It needs a live key.

        Args:
            phone: The number as people write it, such as 0812 3456 7890 or +62 812 3456 7890. A
                number that begins with 0 belongs to the country of the account. Digits alone have a
                country code. Kurir stores digits with the country code.
            phones: 1 to 1000 numbers. One that is not possible refuses all of them.
            scope: `marketing` (default): they get no messages of this category. `all`: they get
                nothing.
            reason: The default is `manual`. `manual`: Somebody of the account added the person.
                `complaint`: The person complained. `import`: The person came with a list.
                `bounced`: The number does not exist.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/suppressions", "refuse"),
            body={"phone": phone, "phones": phones, "scope": scope, "reason": reason},
            timeout=timeout,
        )

    def list_suppressions(
        self,
        *,
        phone: str | None = None,
        scope: Literal["marketing", "all"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> types.ListSuppressionsAnswer:
        """List suppressions, newest first.

        The key needs the scope `contacts:read`. It needs a live key.

        Args:
            phone: Only this number. It finds the number also after its erasure.
            limit: How many items a page has at most.
            cursor: The `next_cursor` of the page before. Left out: begin with the first page.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/suppressions", "harmless"),
            query={"phone": phone, "scope": scope, "limit": limit, "cursor": cursor},
            timeout=timeout,
        )

    def iter_suppressions(
        self,
        *,
        phone: str | None = None,
        scope: Literal["marketing", "all"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> Iterator[types.Suppression]:
        """Iterate over the items of :meth:`list_suppressions`, page by page."""
        return self._pages(
            "suppressions",
            self.list_suppressions,
            phone=phone,
            scope=scope,
            limit=limit,
            cursor=cursor,
            timeout=timeout,
        )

    def remove_suppression(
        self,
        phone: str,
        *,
        scope: Literal["marketing", "all"] | None = None,
        timeout: float | None = None,
    ) -> types.RemoveSuppressionAnswer:
        """Remove a suppression, also one of an erased number. `phone` may be a `user_id` of the
        list, too.

        The key needs the scope `contacts:write`. It needs a live key.

        Args:
            scope: Without it, both scopes are removed.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("DELETE", "/api/v1/suppressions/{phone}", "refuse"),
            ids={"phone": phone},
            query={"scope": scope},
            timeout=timeout,
        )

    def get_opt_out(self, *, timeout: float | None = None) -> types.OptOut:
        """Show the words by which people opt out and in again, and the replies.

        The key needs the scope `contacts:read`. It needs a live key.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(Route("GET", "/api/v1/opt-out", "harmless"), timeout=timeout)

    def set_opt_out(
        self,
        *,
        stop_words: Sequence[str],
        start_words: Sequence[str],
        stop_reply: str | None,
        start_reply: str | None,
        timeout: float | None = None,
    ) -> types.OptOut:
        """Replace the words and the replies.

        A word must not stand in both lists.

        The key needs the scope `contacts:write`. It needs a live key.

        Args:
            stop_words: A person who writes one of these words, and nothing else, opts out of
                marketing.
            start_words: One of these words opts in again.
            stop_reply: The reply to a person who opted out. Null: none.
            start_reply: The reply to a person who opted in again. Null: none.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("PUT", "/api/v1/opt-out", "refuse", nullable=("stop_reply", "start_reply")),
            body={
                "stop_words": stop_words,
                "start_words": start_words,
                "stop_reply": stop_reply,
                "start_reply": start_reply,
            },
            timeout=timeout,
        )

    def list_events(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        types: str | Sequence[str] | None = None,
        device_id: str | None = None,
        wait: int | None = None,
        timeout: float | None = None,
    ) -> types.ListEventsAnswer:
        """Read the events of the account, oldest first.

        Pass next_cursor as after. With `Accept: text/event-stream`, the answer is a stream of the
        same events.

        The key needs the scope `events:read`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            after: The `next_cursor` of the page before. `earliest`: begin with the oldest event.
                Left out: begin now.
            limit: How many items a page has at most.
            types: Only events of these types, separated by commas.
            wait: If there is no event yet, the answer waits for one, up to this many seconds.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/events", "harmless"),
            query={
                "after": after,
                "limit": limit,
                "types": types,
                "device_id": device_id,
                "wait": wait,
            },
            timeout=timeout,
        )

    def create_webhook(
        self,
        *,
        url: str,
        description: str | None = None,
        types: Sequence[str] | None = None,
        device_ids: Sequence[str] | None = None,
        mode: Literal["parallel", "ordered"] | None = None,
        max_per_second: int | Unset | None = UNSET,
        enabled: bool | None = None,
        timeout: float | None = None,
    ) -> types.CreateWebhookAnswer:
        """Create a webhook.

        It gets the events that happen from now on. Only this answer shows its secret.

        The key needs the scope `webhooks:write`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            url: Where Kurir posts events: http or https, without user name, password and fragment.
                The port is 80, 443 or above 1023. The address must be public.
            types: The types of events that the webhook gets. Empty: all but `message.accepted`,
                `message.sending`, `message.waiting` and `message.sent_elsewhere`.
            device_ids: Only events of these devices. Empty: of all devices, and events without a
                device.
            mode: `parallel` (default): many events at once. `ordered`: events of one subject one
                after the other, in the order of `sequence`.
            max_per_second: The most events a second. Null: no limit.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/webhooks", "refuse", nullable=("max_per_second",)),
            body={
                "url": url,
                "description": description,
                "types": types,
                "device_ids": device_ids,
                "mode": mode,
                "max_per_second": max_per_second,
                "enabled": enabled,
            },
            timeout=timeout,
        )

    def list_webhooks(self, *, timeout: float | None = None) -> types.ListWebhooksAnswer:
        """List the webhooks, oldest first, with their health and without secrets.

        The key needs the scope `webhooks:read`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(Route("GET", "/api/v1/webhooks", "harmless"), timeout=timeout)

    def get_webhook(
        self,
        webhook_id: str,
        *,
        timeout: float | None = None,
    ) -> types.GetWebhookAnswer:
        """Look up a webhook with its health and its last replays.

        The key needs the scope `webhooks:read`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/webhooks/{webhook_id}", "harmless"),
            ids={"webhook_id": webhook_id},
            timeout=timeout,
        )

    def update_webhook(
        self,
        webhook_id: str,
        *,
        url: str | None = None,
        description: str | None = None,
        types: Sequence[str] | None = None,
        device_ids: Sequence[str] | None = None,
        mode: Literal["parallel", "ordered"] | None = None,
        max_per_second: int | Unset | None = UNSET,
        enabled: bool | None = None,
        timeout: float | None = None,
    ) -> types.UpdateWebhookAnswer:
        """Change a webhook.

        A field that you leave out stays as it is. A webhook that you enable goes on with the first
        event that it did not get.

        The key needs the scope `webhooks:write`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            url: Where Kurir posts events: http or https, without user name, password and fragment.
                The port is 80, 443 or above 1023. The address must be public.
            types: The types of events that the webhook gets. Empty: all but `message.accepted`,
                `message.sending`, `message.waiting` and `message.sent_elsewhere`.
            device_ids: Only events of these devices. Empty: of all devices, and events without a
                device.
            mode: `parallel` (default): many events at once. `ordered`: events of one subject one
                after the other, in the order of `sequence`.
            max_per_second: The most events a second. Null: no limit.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("PATCH", "/api/v1/webhooks/{webhook_id}", "refuse", nullable=("max_per_second",)),
            ids={"webhook_id": webhook_id},
            body={
                "url": url,
                "description": description,
                "types": types,
                "device_ids": device_ids,
                "mode": mode,
                "max_per_second": max_per_second,
                "enabled": enabled,
            },
            timeout=timeout,
        )

    def delete_webhook(
        self,
        webhook_id: str,
        *,
        timeout: float | None = None,
    ) -> types.DeleteWebhookAnswer:
        """Delete a webhook, with its secrets, attempts and waiting events.

        The key needs the scope `webhooks:write`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("DELETE", "/api/v1/webhooks/{webhook_id}", "refuse"),
            ids={"webhook_id": webhook_id},
            timeout=timeout,
        )

    def rotate_webhook_secret(
        self,
        webhook_id: str,
        *,
        timeout: float | None = None,
    ) -> types.RotateWebhookSecretAnswer:
        """Give a webhook a new secret.

        For 24 hours both secrets sign. Only this answer shows the new one.

        The key needs the scope `webhooks:write`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/webhooks/{webhook_id}/rotate-secret", "refuse"),
            ids={"webhook_id": webhook_id},
            timeout=timeout,
        )

    def ping_webhook(
        self,
        webhook_id: str,
        *,
        timeout: float | None = None,
    ) -> types.PingWebhookAnswer:
        """Send the event `webhook.ping` to this webhook alone.

        Its result appears among the attempts.

        The key needs the scope `webhooks:write`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/webhooks/{webhook_id}/ping", "refuse"),
            ids={"webhook_id": webhook_id},
            timeout=timeout,
        )

    def replay_webhook(
        self,
        webhook_id: str,
        *,
        since: datetime | str,
        until: datetime | str | None = None,
        types: Sequence[str] | None = None,
        dry_run: bool | None = None,
        timeout: float | None = None,
    ) -> types.ReplayWebhookAnswer:
        """Send the events of a span once more.

        With dry_run the answer only says how many they are.

        The key needs the scope `webhooks:write`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            since: At most as many days ago as the gateway keeps events
                (`KURIR_EVENTS_RETENTION_DAYS`, by default 30).
            until: Default: now.
            types: The types of events that the webhook gets. Empty: all but `message.accepted`,
                `message.sending`, `message.waiting` and `message.sent_elsewhere`.
            dry_run: True: only count the events.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/webhooks/{webhook_id}/replay", "refuse"),
            ids={"webhook_id": webhook_id},
            body={"since": since, "until": until, "types": types, "dry_run": dry_run},
            timeout=timeout,
        )

    def list_webhook_attempts(
        self,
        webhook_id: str,
        *,
        outcome: Literal["delivered", "retrying", "failed", "probed"] | None = None,
        event_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> types.ListWebhookAttemptsAnswer:
        """List attempts to deliver, newest first: every failure, every ping and a sample of
        successes.

        The key needs the scope `webhooks:read`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            event_id: Only attempts of this event.
            limit: How many items a page has at most.
            cursor: The `next_cursor` of the page before. Left out: begin with the first page.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/webhooks/{webhook_id}/attempts", "harmless"),
            ids={"webhook_id": webhook_id},
            query={"outcome": outcome, "event_id": event_id, "limit": limit, "cursor": cursor},
            timeout=timeout,
        )

    def iter_webhook_attempts(
        self,
        webhook_id: str,
        *,
        outcome: Literal["delivered", "retrying", "failed", "probed"] | None = None,
        event_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> Iterator[types.WebhookAttempt]:
        """Iterate over the items of :meth:`list_webhook_attempts`, page by page."""
        return self._pages(
            "attempts",
            self.list_webhook_attempts,
            webhook_id=webhook_id,
            outcome=outcome,
            event_id=event_id,
            limit=limit,
            cursor=cursor,
            timeout=timeout,
        )

    def list_failed_events(
        self,
        webhook_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> types.ListFailedEventsAnswer:
        """List the events that used all tries, newest first.

        The key needs the scope `webhooks:read`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            limit: How many items a page has at most.
            cursor: The `next_cursor` of the page before. Left out: begin with the first page.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/webhooks/{webhook_id}/failed-events", "harmless"),
            ids={"webhook_id": webhook_id},
            query={"limit": limit, "cursor": cursor},
            timeout=timeout,
        )

    def iter_failed_events(
        self,
        webhook_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> Iterator[types.FailedEvent]:
        """Iterate over the items of :meth:`list_failed_events`, page by page."""
        return self._pages(
            "events",
            self.list_failed_events,
            webhook_id=webhook_id,
            limit=limit,
            cursor=cursor,
            timeout=timeout,
        )

    def resend_event(
        self,
        event_id: str,
        *,
        webhook_id: str,
        timeout: float | None = None,
    ) -> types.ResendEventAnswer:
        """Send one event to a webhook once more, with all its tries.

        The key needs the scope `webhooks:write`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/events/{event_id}/resend", "refuse"),
            ids={"event_id": event_id},
            body={"webhook_id": webhook_id},
            timeout=timeout,
        )

    def create_template(
        self,
        *,
        name: str,
        text: str,
        footer: str | Unset | None = UNSET,
        timeout: float | None = None,
    ) -> types.Template:
        """Create a template with its version 1.

        The key needs the scope `broadcasts:write`. It needs a live key.

        Args:
            name: Each template of an account has another name.
            text: The text, with `{{name}}`, `{{name|fallback}}` and `{{pick:one|two}}`. A backslash
                makes `{`, `}` and `|` plain text.
            footer: One line after the text and an empty line. Null or empty: none.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/templates", "refuse", nullable=("footer",)),
            body={"name": name, "text": text, "footer": footer},
            timeout=timeout,
        )

    def list_templates(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> types.ListTemplatesAnswer:
        """List the templates that are not archived, newest first, each with its latest version.

        The key needs the scope `broadcasts:read`. A test key may use it, too.

        Args:
            limit: How many items a page has at most.
            cursor: The `next_cursor` of the page before. Left out: begin with the first page.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/templates", "harmless"),
            query={"limit": limit, "cursor": cursor},
            timeout=timeout,
        )

    def iter_templates(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> Iterator[types.Template]:
        """Iterate over the items of :meth:`list_templates`, page by page."""
        return self._pages(
            "templates",
            self.list_templates,
            limit=limit,
            cursor=cursor,
            timeout=timeout,
        )

    def preview_template(
        self,
        *,
        text: str,
        rows: Sequence[types.PreviewTemplateRow],
        footer: str | Unset | None = UNSET,
        timeout: float | None = None,
    ) -> types.PreviewTemplateAnswer:
        """Render a text for up to 20 recipients.

        It stores nothing. A broadcast may make other picks.

        The key needs the scope `broadcasts:read`. A test key may use it, too.

        Args:
            text: The text, with `{{name}}`, `{{name|fallback}}` and `{{pick:one|two}}`. A backslash
                makes `{`, `}` and `|` plain text.
            footer: One line after the text and an empty line. Null or empty: none.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/templates/preview", "harmless", nullable=("footer",)),
            body={"text": text, "rows": rows, "footer": footer},
            timeout=timeout,
        )

    def get_template(self, template_id: str, *, timeout: float | None = None) -> types.Template:
        """Look up a template with its latest version and its variables, also an archived one.

        The key needs the scope `broadcasts:read`. A test key may use it, too.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/templates/{template_id}", "harmless"),
            ids={"template_id": template_id},
            timeout=timeout,
        )

    def archive_template(
        self,
        template_id: str,
        *,
        timeout: float | None = None,
    ) -> types.ArchiveTemplateAnswer:
        """Archive a template.

        Nobody can change or list it any more, and its name is free again.

        The key needs the scope `broadcasts:write`. It needs a live key.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("DELETE", "/api/v1/templates/{template_id}", "refuse"),
            ids={"template_id": template_id},
            timeout=timeout,
        )

    def list_template_versions(
        self,
        template_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> types.ListTemplateVersionsAnswer:
        """List the versions of a template, newest first.

        The key needs the scope `broadcasts:read`. A test key may use it, too.

        Args:
            limit: How many items a page has at most.
            cursor: The `next_cursor` of the page before. Left out: begin with the first page.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/templates/{template_id}/versions", "harmless"),
            ids={"template_id": template_id},
            query={"limit": limit, "cursor": cursor},
            timeout=timeout,
        )

    def iter_template_versions(
        self,
        template_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> Iterator[types.TemplateVersion]:
        """Iterate over the items of :meth:`list_template_versions`, page by page."""
        return self._pages(
            "versions",
            self.list_template_versions,
            template_id=template_id,
            limit=limit,
            cursor=cursor,
            timeout=timeout,
        )

    def create_template_version(
        self,
        template_id: str,
        *,
        text: str,
        footer: str | Unset | None = UNSET,
        base_version: int | None = None,
        timeout: float | None = None,
    ) -> types.Template:
        """Add a version to a template.

        Earlier versions stay as they are.

        The key needs the scope `broadcasts:write`. It needs a live key.

        Args:
            text: The text, with `{{name}}`, `{{name|fallback}}` and `{{pick:one|two}}`. A backslash
                makes `{`, `}` and `|` plain text.
            footer: One line after the text and an empty line. Null or empty: none.
            base_version: The version that you changed. If it is not the latest any more, the answer
                is 409.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route(
                "POST",
                "/api/v1/templates/{template_id}/versions",
                "refuse",
                nullable=("footer",),
            ),
            ids={"template_id": template_id},
            body={"text": text, "footer": footer, "base_version": base_version},
            timeout=timeout,
        )

    def create_broadcast(
        self,
        *,
        name: str,
        device_ids: Sequence[str],
        message: str | None = None,
        footer: str | Unset | None = UNSET,
        template_id: str | None = None,
        template_version: int | None = None,
        audience: types.BroadcastAudience | None = None,
        category: Literal["authentication", "transactional", "marketing"] | None = None,
        send_at: datetime | str | None = None,
        pace_per_minute: int | Unset | None = UNSET,
        window: types.CreateBroadcastWindow | Unset | None = UNSET,
        max_per_person_a_day: int | Unset | None = UNSET,
        guards: types.CreateBroadcastGuards | None = None,
        timeout: float | None = None,
    ) -> types.Broadcast:
        """Create a broadcast as a draft.

        Nothing goes out until you start it. A worker reads a file or contacts; it is `checking`
        meanwhile.

        The key needs the scope `broadcasts:write`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            device_ids: The devices that send it. A person stays with the device that knows the
                person.
            message: The text, in the language of templates. Give this or `template_id`.
            footer: One line after the text and an empty line. Null or empty: none.
            template_version: The latest, if left out.
            audience: Exactly one of `rows`, `upload_id` and `contacts`. A file and contacts are
                read by a worker, while the broadcast is `checking`.
            category: `marketing` if left out.
            send_at: It starts then, once you have started it.
            pace_per_minute: At most so many messages a minute, over all devices. Null: the devices
                have their own pace.
            window: The hours of the recipient, or of the account, in which messages go out. Left
                out: 08:00 to 21:00 of the recipient for marketing, any hour for the rest. Null: any
                hour. Marketing in other hours than the usual ones must be confirmed with
                `confirm_any_hour`: see the start.
            max_per_person_a_day: A person who got so many marketing messages of the account within
                24 hours is skipped. 1 if left out. Null: nobody is skipped.
            guards: The broadcast pauses if so many of the last 50 messages of a device failed, or
                so many of their recipients opted out. 20 and 3 if left out. Null: never.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route(
                "POST",
                "/api/v1/broadcasts",
                "refuse",
                nullable=("footer", "pace_per_minute", "window", "max_per_person_a_day"),
            ),
            body={
                "name": name,
                "device_ids": device_ids,
                "message": message,
                "footer": footer,
                "template_id": template_id,
                "template_version": template_version,
                "audience": audience,
                "category": category,
                "send_at": send_at,
                "pace_per_minute": pace_per_minute,
                "window": window,
                "max_per_person_a_day": max_per_person_a_day,
                "guards": guards,
            },
            timeout=timeout,
        )

    def list_broadcasts(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> types.ListBroadcastsAnswer:
        """List the broadcasts, newest first.

        The key needs the scope `broadcasts:read`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            limit: How many items a page has at most.
            cursor: The `next_cursor` of the page before. Left out: begin with the first page.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/broadcasts", "harmless"),
            query={"limit": limit, "cursor": cursor},
            timeout=timeout,
        )

    def iter_broadcasts(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> Iterator[types.Broadcast]:
        """Iterate over the items of :meth:`list_broadcasts`, page by page."""
        return self._pages(
            "broadcasts",
            self.list_broadcasts,
            limit=limit,
            cursor=cursor,
            timeout=timeout,
        )

    def add_broadcast_recipients(
        self,
        broadcast_id: str,
        *,
        after: int,
        rows: Sequence[types.BroadcastRow],
        timeout: float | None = None,
    ) -> types.AddBroadcastRecipientsAnswer:
        """Add rows to the list of a draft.

        Nobody gets two messages: a second row of the same number is skipped.

        The key needs the scope `broadcasts:write`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            after: How many rows the list has so far. So a repeat adds nothing twice.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/broadcasts/{broadcast_id}/recipients", "refuse"),
            ids={"broadcast_id": broadcast_id},
            body={"after": after, "rows": rows},
            timeout=timeout,
        )

    def list_broadcast_recipients(
        self,
        broadcast_id: str,
        *,
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
        ] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> types.ListBroadcastRecipientsAnswer:
        """List the recipients in the order of the list, each with one outcome.

        The key needs the scope `broadcasts:read`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            limit: How many items a page has at most.
            cursor: The `next_cursor` of the page before. Left out: begin with the first page.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/broadcasts/{broadcast_id}/recipients", "harmless"),
            ids={"broadcast_id": broadcast_id},
            query={"outcome": outcome, "limit": limit, "cursor": cursor},
            timeout=timeout,
        )

    def iter_broadcast_recipients(
        self,
        broadcast_id: str,
        *,
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
        ] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> Iterator[types.BroadcastRecipient]:
        """Iterate over the items of :meth:`list_broadcast_recipients`, page by page."""
        return self._pages(
            "recipients",
            self.list_broadcast_recipients,
            broadcast_id=broadcast_id,
            outcome=outcome,
            limit=limit,
            cursor=cursor,
            timeout=timeout,
        )

    def check_broadcast(
        self,
        broadcast_id: str,
        *,
        timeout: float | None = None,
    ) -> types.BroadcastCheck:
        """Fix the list, and say what would go out and what would not.

        It sends nothing. While the broadcast is `checking`, it says what is read so far and fixes
        nothing.

        The key needs the scope `broadcasts:write`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/broadcasts/{broadcast_id}/check", "refuse"),
            ids={"broadcast_id": broadcast_id},
            timeout=timeout,
        )

    def start_broadcast(
        self,
        broadcast_id: str,
        *,
        confirm_any_hour: bool | None = None,
        timeout: float | None = None,
    ) -> types.Broadcast:
        """Start the broadcast, or let it start at `send_at`.

        The quota of all its messages is set aside.

        The key needs the scope `broadcasts:write`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            confirm_any_hour: Must be true for marketing whose window is null, or begins before
                08:00 or ends after 21:00: it may reach people at night.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/broadcasts/{broadcast_id}/start", "refuse"),
            ids={"broadcast_id": broadcast_id},
            body={"confirm_any_hour": confirm_any_hour},
            timeout=timeout,
        )

    def pause_broadcast(
        self,
        broadcast_id: str,
        *,
        timeout: float | None = None,
    ) -> types.Broadcast:
        """Pause the broadcast.

        A message that is being sent still goes out.

        The key needs the scope `broadcasts:write`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/broadcasts/{broadcast_id}/pause", "refuse"),
            ids={"broadcast_id": broadcast_id},
            timeout=timeout,
        )

    def resume_broadcast(
        self,
        broadcast_id: str,
        *,
        scope: Literal["pending", "failed", "unknown"] | None = None,
        timeout: float | None = None,
    ) -> types.Broadcast:
        """Go on, or send again to those whose message failed or has an unknown outcome.

        The key needs the scope `broadcasts:write`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            scope: `pending` if left out: go on. `failed`, `unknown`: send again to those whose
                message ended so. After `unknown`, a person may get it twice.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/broadcasts/{broadcast_id}/resume", "refuse"),
            ids={"broadcast_id": broadcast_id},
            body={"scope": scope},
            timeout=timeout,
        )

    def cancel_broadcast(
        self,
        broadcast_id: str,
        *,
        timeout: float | None = None,
    ) -> types.Broadcast:
        """End the broadcast.

        Messages that wait are cancelled, and the quota comes back.

        The key needs the scope `broadcasts:write`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/broadcasts/{broadcast_id}/cancel", "refuse"),
            ids={"broadcast_id": broadcast_id},
            timeout=timeout,
        )

    def update_broadcast(
        self,
        broadcast_id: str,
        *,
        name: str | None = None,
        device_ids: Sequence[str] | None = None,
        pace_per_minute: int | Unset | None = UNSET,
        window: types.UpdateBroadcastWindow | Unset | None = UNSET,
        max_per_person_a_day: int | Unset | None = UNSET,
        guards: types.UpdateBroadcastGuards | None = None,
        confirm_any_hour: bool | None = None,
        timeout: float | None = None,
    ) -> types.Broadcast:
        """Change the name, the devices, the pace or the hours, also while it runs.

        A field that you leave out stays as it is.

        The key needs the scope `broadcasts:write`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            device_ids: The devices that send it. A person stays with the device that knows the
                person.
            pace_per_minute: At most so many messages a minute, over all devices. Null: the devices
                have their own pace.
            window: The hours of the recipient, or of the account, in which messages go out. Left
                out: 08:00 to 21:00 of the recipient for marketing, any hour for the rest. Null: any
                hour. Marketing in other hours than the usual ones must be confirmed with
                `confirm_any_hour`: see the start.
            max_per_person_a_day: A person who got so many marketing messages of the account within
                24 hours is skipped. 1 if left out. Null: nobody is skipped.
            guards: The broadcast pauses if so many of the last 50 messages of a device failed, or
                so many of their recipients opted out. 20 and 3 if left out. Null: never.
            confirm_any_hour: As at the start. Only a window for marketing that was started needs
                it.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route(
                "PATCH",
                "/api/v1/broadcasts/{broadcast_id}",
                "refuse",
                nullable=("pace_per_minute", "window", "max_per_person_a_day"),
            ),
            ids={"broadcast_id": broadcast_id},
            body={
                "name": name,
                "device_ids": device_ids,
                "pace_per_minute": pace_per_minute,
                "window": window,
                "max_per_person_a_day": max_per_person_a_day,
                "guards": guards,
                "confirm_any_hour": confirm_any_hour,
            },
            timeout=timeout,
        )

    def get_broadcast(
        self,
        broadcast_id: str,
        *,
        timeout: float | None = None,
    ) -> types.CountedBroadcast:
        """Look up a broadcast with its counts, its rate and the time at which it will end.

        The key needs the scope `broadcasts:read`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/broadcasts/{broadcast_id}", "harmless"),
            ids={"broadcast_id": broadcast_id},
            timeout=timeout,
        )

    def test_broadcast(
        self,
        broadcast_id: str,
        *,
        phone: str,
        values: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> types.TestBroadcastAnswer:
        """Send the text to one number, as a message of its own.

        The broadcast and its counts stay as they are.

        The key needs the scope `broadcasts:write`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Args:
            phone: The number as people write it, such as 0812 3456 7890 or +62 812 3456 7890. A
                number that begins with 0 belongs to the country of the account. Digits alone have a
                country code. Kurir stores digits with the country code.
            values: The values for the text, by name. If left out, those of the first recipient who
                gets a message.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/broadcasts/{broadcast_id}/test", "refuse"),
            ids={"broadcast_id": broadcast_id},
            body={"phone": phone, "values": values},
            timeout=timeout,
        )

    def export_broadcast_results(
        self,
        broadcast_id: str,
        *,
        format: Literal["csv", "ndjson"] | None = None,
        time_zone: str | None = None,
        language: Literal["en", "id"] | None = None,
        timeout: float | None = None,
    ) -> Iterator[str]:
        """Download the outcome of each recipient in the order of the list, as CSV or NDJSON.

        The answer is a file.

        The key needs the scope `broadcasts:read`. A test key may use it for devices of a sandbox
        network and what belongs to them.

        Yields the lines of the file. A refusal is raised before the first line.

        Args:
            format: `csv` if left out.
            time_zone: The time zone of the times in the CSV file, such as Asia/Jakarta. UTC if left
                out.
            language: Given: a CSV file for people, with headers, statuses and reasons in this
                language. Left out: one for programs, with words of the api.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._download(
            Route("GET", "/api/v1/broadcasts/{broadcast_id}/results.csv", "harmless"),
            ids={"broadcast_id": broadcast_id},
            query={"format": format, "time_zone": time_zone, "language": language},
            timeout=timeout,
        )

    def save_contact(
        self,
        *,
        phone: str,
        name: str | Unset | None = UNSET,
        locale: str | Unset | None = UNSET,
        time_zone: str | Unset | None = UNSET,
        attributes: Mapping[str, str | None] | None = None,
        lists: Sequence[str] | None = None,
        consent: types.SaveContactConsent | Unset | None = UNSET,
        timeout: float | None = None,
    ) -> types.SaveContactAnswer:
        """Create a contact, or change the one that has this phone number.

        A field that you leave out stays as it is.

        The key needs the scope `contacts:write`. It needs a live key.

        Args:
            phone: A phone number as people write it. Without a country code it is one of the
                country of the account.
            attributes: Attributes that are not named stay. Null removes one.
            lists: All lists that the contact is in from now on.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route(
                "POST",
                "/api/v1/contacts",
                "refuse",
                nullable=("name", "locale", "time_zone", "consent"),
            ),
            body={
                "phone": phone,
                "name": name,
                "locale": locale,
                "time_zone": time_zone,
                "attributes": attributes,
                "lists": lists,
                "consent": consent,
            },
            timeout=timeout,
        )

    def list_contacts(
        self,
        *,
        list: str | None = None,
        phone: str | None = None,
        attribute: str | None = None,
        locale: str | None = None,
        has_consent: bool | None = None,
        q: str | None = None,
        sort: Literal["newest", "name"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> types.ListContactsAnswer:
        """List contacts, newest first or by name.

        The key needs the scope `contacts:read`. It needs a live key.

        Args:
            list: Only contacts in this list.
            phone: A phone number as people write it. Without a country code it is one of the
                country of the account.
            attribute: A key, a colon and the value.
            locale: The language of the contact.
            q: A part of the name or of the number.
            sort: `newest` if left out. `name`: by name, and those without one last.
            limit: How many items a page has at most.
            cursor: The `next_cursor` of the page before. Left out: begin with the first page.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/contacts", "harmless"),
            query={
                "list": list,
                "phone": phone,
                "attribute": attribute,
                "locale": locale,
                "has_consent": has_consent,
                "q": q,
                "sort": sort,
                "limit": limit,
                "cursor": cursor,
            },
            timeout=timeout,
        )

    def iter_contacts(
        self,
        *,
        list: str | None = None,
        phone: str | None = None,
        attribute: str | None = None,
        locale: str | None = None,
        has_consent: bool | None = None,
        q: str | None = None,
        sort: Literal["newest", "name"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> Iterator[types.Contact]:
        """Iterate over the items of :meth:`list_contacts`, page by page."""
        return self._pages(
            "contacts",
            self.list_contacts,
            list=list,
            phone=phone,
            attribute=attribute,
            locale=locale,
            has_consent=has_consent,
            q=q,
            sort=sort,
            limit=limit,
            cursor=cursor,
            timeout=timeout,
        )

    def export_contacts(
        self,
        *,
        list: str | None = None,
        phone: str | None = None,
        attribute: str | None = None,
        locale: str | None = None,
        has_consent: bool | None = None,
        q: str | None = None,
        format: Literal["csv", "ndjson"] | None = None,
        timeout: float | None = None,
    ) -> Iterator[str]:
        """Export contacts as CSV or NDJSON, newest first.

        The answer is a file.

        The key needs the scope `contacts:read`. It needs a live key.

        Yields the lines of the file. A refusal is raised before the first line.

        Args:
            list: Only contacts in this list.
            phone: A phone number as people write it. Without a country code it is one of the
                country of the account.
            attribute: A key, a colon and the value.
            locale: The language of the contact.
            q: A part of the name or of the number.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._download(
            Route("GET", "/api/v1/contacts/export", "harmless"),
            query={
                "list": list,
                "phone": phone,
                "attribute": attribute,
                "locale": locale,
                "has_consent": has_consent,
                "q": q,
                "format": format,
            },
            timeout=timeout,
        )

    def list_contact_lists(self, *, timeout: float | None = None) -> types.ListContactListsAnswer:
        """List the names of lists, with how many contacts each has.

        The key needs the scope `contacts:read`. It needs a live key.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(Route("GET", "/api/v1/contacts/lists", "harmless"), timeout=timeout)

    def change_contact_lists(
        self,
        *,
        filter: types.ChangeContactListsFilter,
        add: Sequence[str] | None = None,
        remove: Sequence[str] | None = None,
        timeout: float | None = None,
    ) -> types.ChangeContactListsAnswer:
        """Add up to 10,000 contacts that match a filter to lists, or remove them from lists.

        The key needs the scope `contacts:write`. It needs a live key.

        Args:
            filter: An empty filter means all contacts.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/contacts/lists", "refuse"),
            body={"filter": filter, "add": add, "remove": remove},
            timeout=timeout,
        )

    def check_contacts(
        self,
        *,
        phones: Sequence[str],
        timeout: float | None = None,
    ) -> types.CheckContactsAnswer:
        """Say of up to 50 numbers whether they have an account on the network, from the traffic of
        your devices.

        Kurir does not ask the network.

        The key needs the scope `contacts:read`. It needs a live key.

        Args:
            phones: 1 to 50 numbers, as people write them.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/contacts/check", "harmless"),
            body={"phones": phones},
            timeout=timeout,
        )

    def get_contact(self, contact_id: str, *, timeout: float | None = None) -> types.Contact:
        """Look up a contact.

        The key needs the scope `contacts:read`. It needs a live key.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/contacts/{contact_id}", "harmless"),
            ids={"contact_id": contact_id},
            timeout=timeout,
        )

    def update_contact(
        self,
        contact_id: str,
        *,
        name: str | Unset | None = UNSET,
        locale: str | Unset | None = UNSET,
        time_zone: str | Unset | None = UNSET,
        attributes: Mapping[str, str | None] | None = None,
        lists: Sequence[str] | None = None,
        consent: types.UpdateContactConsent | Unset | None = UNSET,
        timeout: float | None = None,
    ) -> types.Contact:
        """Change a contact.

        A field that you leave out stays as it is.

        The key needs the scope `contacts:write`. It needs a live key.

        Args:
            attributes: Attributes that are not named stay. Null removes one.
            lists: All lists that the contact is in from now on.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route(
                "PATCH",
                "/api/v1/contacts/{contact_id}",
                "refuse",
                nullable=("name", "locale", "time_zone", "consent"),
            ),
            ids={"contact_id": contact_id},
            body={
                "name": name,
                "locale": locale,
                "time_zone": time_zone,
                "attributes": attributes,
                "lists": lists,
                "consent": consent,
            },
            timeout=timeout,
        )

    def delete_contact(
        self,
        contact_id: str,
        *,
        timeout: float | None = None,
    ) -> types.DeleteContactAnswer:
        """Delete a contact.

        Messages and conversations with the person stay.

        The key needs the scope `contacts:write`. It needs a live key.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("DELETE", "/api/v1/contacts/{contact_id}", "refuse"),
            ids={"contact_id": contact_id},
            timeout=timeout,
        )

    def create_upload(
        self,
        *,
        bytes: int,
        file_name: str | None = None,
        timeout: float | None = None,
    ) -> types.Upload:
        """Begin to send a file of rows: CSV with commas, semicolons or tabs, or NDJSON.

        Then send its parts.

        The key needs the scope `contacts:write`. It needs a live key.

        Args:
            bytes: The size of the whole file.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/uploads", "refuse"),
            body={"bytes": bytes, "file_name": file_name},
            timeout=timeout,
        )

    def add_upload_part(
        self,
        upload_id: str,
        *,
        number: int,
        data: str,
        timeout: float | None = None,
    ) -> types.Upload:
        """Send a part of the file.

        Parts may come in any order. The same part twice is one part.

        The key needs the scope `contacts:write`. It needs a live key.

        Args:
            number: The place of the part, from 1.
            data: The bytes of the part as base64.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/uploads/{upload_id}/parts", "harmless"),
            ids={"upload_id": upload_id},
            body={"number": number, "data": data},
            timeout=timeout,
        )

    def get_upload(self, upload_id: str, *, timeout: float | None = None) -> types.GetUploadAnswer:
        """Look up an upload.

        From its first part on, the answer shows the form, the columns and the first rows.

        The key needs the scope `contacts:write`. It needs a live key.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/uploads/{upload_id}", "harmless"),
            ids={"upload_id": upload_id},
            timeout=timeout,
        )

    def create_contact_import(
        self,
        *,
        upload_id: str,
        mapping: types.CreateContactImportMapping,
        lists: Sequence[str] | None = None,
        consent: types.CreateContactImportConsent | None = None,
        on_existing: Literal["update", "keep"] | None = None,
        timeout: float | None = None,
    ) -> types.ContactImport:
        """Import contacts from an upload.

        A worker does it. An upload is imported once; a repeat returns that import.

        The key needs the scope `contacts:write`. It needs a live key.

        Args:
            lists: The lists that all contacts of the file are added to.
            consent: The consent of all people in the file.
            on_existing: `update` (default): the filled cells change a contact that is there
                already. `keep`: it stays as it is. Both add it to the lists.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/contacts/imports", "refuse"),
            body={
                "upload_id": upload_id,
                "mapping": mapping,
                "lists": lists,
                "consent": consent,
                "on_existing": on_existing,
            },
            timeout=timeout,
        )

    def get_contact_import(
        self,
        import_id: str,
        *,
        timeout: float | None = None,
    ) -> types.ContactImport:
        """Look up an import: its progress, its counts and why rows were refused.

        The key needs the scope `contacts:read`. It needs a live key.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/contacts/imports/{import_id}", "harmless"),
            ids={"import_id": import_id},
            timeout=timeout,
        )

    def cancel_contact_import(
        self,
        import_id: str,
        *,
        timeout: float | None = None,
    ) -> types.ContactImport:
        """Stop an import.

        Contacts that it has added or changed stay.

        The key needs the scope `contacts:write`. It needs a live key.

        Args:
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("POST", "/api/v1/contacts/imports/{import_id}/cancel", "refuse"),
            ids={"import_id": import_id},
            timeout=timeout,
        )

    def list_refused_rows(
        self,
        import_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> types.ListRefusedRowsAnswer:
        """List the rows that an import refused, in the order of the file, with advice.

        The key needs the scope `contacts:read`. It needs a live key.

        Args:
            limit: How many items a page has at most.
            cursor: The `next_cursor` of the page before. Left out: begin with the first page.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/contacts/imports/{import_id}/refused", "harmless"),
            ids={"import_id": import_id},
            query={"limit": limit, "cursor": cursor},
            timeout=timeout,
        )

    def iter_refused_rows(
        self,
        import_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> Iterator[types.RefusedRow]:
        """Iterate over the items of :meth:`list_refused_rows`, page by page."""
        return self._pages(
            "refused",
            self.list_refused_rows,
            import_id=import_id,
            limit=limit,
            cursor=cursor,
            timeout=timeout,
        )

    def export_refused_rows(
        self,
        import_id: str,
        *,
        language: Literal["en", "id"] | None = None,
        timeout: float | None = None,
    ) -> Iterator[str]:
        """Download the rows that an import refused, as CSV with the separator and the columns of
        the file, and a last column with the reason.

        The key needs the scope `contacts:read`. It needs a live key.

        Yields the lines of the file. A refusal is raised before the first line.

        Args:
            language: The language of the reasons. `en` if left out.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._download(
            Route("GET", "/api/v1/contacts/imports/{import_id}/refused.csv", "harmless"),
            ids={"import_id": import_id},
            query={"language": language},
            timeout=timeout,
        )

    def list_audit(
        self,
        *,
        group: Literal[
            "sign_in",
            "account",
            "members",
            "money",
            "keys",
            "devices",
            "messages",
            "contacts",
            "broadcasts",
            "templates",
            "webhooks",
            "gateway",
        ] | None = None,
        actor: str | None = None,
        subject: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> types.ListAuditAnswer:
        """Read who did what to the account, newest first.

        The key needs the scope `audit:read`. It needs a live key.

        Args:
            group: Only actions of this part of the product.
            actor: Only actions of this person or key.
            subject: Only actions on the thing with this id.
            since: Only actions at this time or later.
            until: Only actions before this time.
            limit: How many items a page has at most.
            cursor: The `next_cursor` of the page before. Left out: begin with the first page.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/audit", "harmless"),
            query={
                "group": group,
                "actor": actor,
                "subject": subject,
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
            },
            timeout=timeout,
        )

    def iter_audit(
        self,
        *,
        group: Literal[
            "sign_in",
            "account",
            "members",
            "money",
            "keys",
            "devices",
            "messages",
            "contacts",
            "broadcasts",
            "templates",
            "webhooks",
            "gateway",
        ] | None = None,
        actor: str | None = None,
        subject: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> Iterator[types.ListAuditAnswerEntrie]:
        """Iterate over the items of :meth:`list_audit`, page by page."""
        return self._pages(
            "entries",
            self.list_audit,
            group=group,
            actor=actor,
            subject=subject,
            since=since,
            until=until,
            limit=limit,
            cursor=cursor,
            timeout=timeout,
        )

    def export_audit(
        self,
        *,
        group: Literal[
            "sign_in",
            "account",
            "members",
            "money",
            "keys",
            "devices",
            "messages",
            "contacts",
            "broadcasts",
            "templates",
            "webhooks",
            "gateway",
        ] | None = None,
        actor: str | None = None,
        subject: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        time_zone: str | None = None,
        timeout: float | None = None,
    ) -> Iterator[str]:
        """Export the entries of the audit log that match a filter as CSV, newest first, up to
        100,000.

        The answer is a file.

        The key needs the scope `audit:read`. It needs a live key.

        Yields the lines of the file. A refusal is raised before the first line.

        Args:
            group: Only actions of this part of the product.
            actor: Only actions of this person or key.
            subject: Only actions on the thing with this id.
            since: Only actions at this time or later.
            until: Only actions before this time.
            time_zone: The time zone of the times in the file, such as Asia/Jakarta. UTC if left
                out.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._download(
            Route("GET", "/api/v1/audit/export", "harmless"),
            query={
                "group": group,
                "actor": actor,
                "subject": subject,
                "since": since,
                "until": until,
                "time_zone": time_zone,
            },
            timeout=timeout,
        )

    def list_requests(
        self,
        *,
        api_key: str | None = None,
        outcome: Literal["2xx", "4xx", "5xx", "aborted"] | None = None,
        operation: str | None = None,
        code: Literal[
            "MALFORMED_REQUEST",
            "MISSING_CREDENTIALS",
            "INVALID_API_KEY",
            "INVALID_SIGNATURE",
            "TIMESTAMP_OUT_OF_RANGE",
            "SESSION_REQUIRED",
            "PLAN_EXPIRED",
            "QUOTA_EXHAUSTED",
            "KEY_NOT_ALLOWED",
            "ACCOUNT_SUSPENDED",
            "ROLE_NOT_ALLOWED",
            "CONFIRMATION_REQUIRED",
            "CROSS_SITE_REQUEST",
            "NOT_FOUND",
            "DEVICE_NOT_FOUND",
            "JOB_NOT_FOUND",
            "CONVERSATION_NOT_FOUND",
            "CONTACT_NOT_FOUND",
            "UPLOAD_NOT_FOUND",
            "IMPORT_NOT_FOUND",
            "NO_PLAN_CHOSEN",
            "ACCOUNT_NOT_FOUND",
            "KEY_NOT_FOUND",
            "PLAN_NOT_FOUND",
            "RENEWAL_NOT_FOUND",
            "MEMBER_NOT_FOUND",
            "INVITATION_NOT_FOUND",
            "EMAIL_CHANGE_NOT_FOUND",
            "WEBHOOK_NOT_FOUND",
            "EVENT_NOT_FOUND",
            "BROADCAST_NOT_FOUND",
            "TEMPLATE_NOT_FOUND",
            "METHOD_NOT_ALLOWED",
            "DEVICE_NOT_CONNECTED",
            "DEVICE_LIMIT_REACHED",
            "WEBHOOK_LIMIT_REACHED",
            "WEBHOOK_DISABLED",
            "TEMPLATE_NAME_TAKEN",
            "TEMPLATE_CHANGED",
            "UPLOAD_LIMIT_REACHED",
            "UPLOAD_NOT_READY",
            "IMPORT_LIMIT_REACHED",
            "IMPORT_ENDED",
            "KEY_LIMIT_REACHED",
            "DEVICE_ALREADY_LINKED",
            "DEVICE_NOT_LINKED",
            "DEVICE_NOT_PAIRING",
            "DEVICE_IN_USE",
            "BROADCAST_STATE",
            "REPLAYED_REQUEST",
            "JOB_NOT_CANCELLABLE",
            "JOB_NOT_RETRYABLE",
            "NOT_IN_SANDBOX",
            "ALREADY_MEMBER",
            "ALREADY_OWNER",
            "LAST_OWNER",
            "PLAN_NAME_TAKEN",
            "TWO_FACTOR_OFF",
            "CURSOR_EXPIRED",
            "PAYLOAD_TOO_LARGE",
            "UNSUPPORTED_MEDIA_TYPE",
            "MISDIRECTED_REQUEST",
            "INVALID_REQUEST",
            "WEBHOOK_URL_NOT_ALLOWED",
            "RECIPIENT_SUPPRESSED",
            "EXPIRES_IN_QUIET_HOURS",
            "INVALID_PHONE_NUMBER",
            "UPLOAD_NOT_READABLE",
            "INVALID_PAYMENT_METHOD",
            "IDEMPOTENCY_KEY_REUSED",
            "CODE_NOT_ACCEPTED",
            "PASSKEY_NOT_ACCEPTED",
            "PASSWORD_NOT_ACCEPTED",
            "RATE_LIMITED",
            "HEADERS_TOO_LARGE",
            "INTERNAL_ERROR",
            "PAYMENT_METHOD_UNAVAILABLE",
            "PAYMENT_PROVIDER_ERROR",
            "SERVICE_UNAVAILABLE",
            "DEVICE_TIMEOUT",
        ] | None = None,
        request_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> types.ListRequestsAnswer:
        """List the requests of the account's keys in the last 7 days, newest first.

        They appear within seconds. A page may be empty although older requests follow.

        The key needs the scope `requests:read`. It needs a live key.

        Args:
            api_key: Only requests of this key.
            outcome: Only requests with this kind of status. `aborted`: the caller went away before
                the answer.
            operation: Only requests of this operation.
            code: Only requests that were refused with this code.
            request_id: Only the request with this id.
            limit: How many items a page has at most.
            cursor: The `next_cursor` of the page before. Left out: begin with the first page.
            timeout: How long each try may take, in seconds. The default is that of the client.
        """
        return self._call(
            Route("GET", "/api/v1/requests", "harmless"),
            query={
                "api_key": api_key,
                "outcome": outcome,
                "operation": operation,
                "code": code,
                "request_id": request_id,
                "limit": limit,
                "cursor": cursor,
            },
            timeout=timeout,
        )

    def iter_requests(
        self,
        *,
        api_key: str | None = None,
        outcome: Literal["2xx", "4xx", "5xx", "aborted"] | None = None,
        operation: str | None = None,
        code: Literal[
            "MALFORMED_REQUEST",
            "MISSING_CREDENTIALS",
            "INVALID_API_KEY",
            "INVALID_SIGNATURE",
            "TIMESTAMP_OUT_OF_RANGE",
            "SESSION_REQUIRED",
            "PLAN_EXPIRED",
            "QUOTA_EXHAUSTED",
            "KEY_NOT_ALLOWED",
            "ACCOUNT_SUSPENDED",
            "ROLE_NOT_ALLOWED",
            "CONFIRMATION_REQUIRED",
            "CROSS_SITE_REQUEST",
            "NOT_FOUND",
            "DEVICE_NOT_FOUND",
            "JOB_NOT_FOUND",
            "CONVERSATION_NOT_FOUND",
            "CONTACT_NOT_FOUND",
            "UPLOAD_NOT_FOUND",
            "IMPORT_NOT_FOUND",
            "NO_PLAN_CHOSEN",
            "ACCOUNT_NOT_FOUND",
            "KEY_NOT_FOUND",
            "PLAN_NOT_FOUND",
            "RENEWAL_NOT_FOUND",
            "MEMBER_NOT_FOUND",
            "INVITATION_NOT_FOUND",
            "EMAIL_CHANGE_NOT_FOUND",
            "WEBHOOK_NOT_FOUND",
            "EVENT_NOT_FOUND",
            "BROADCAST_NOT_FOUND",
            "TEMPLATE_NOT_FOUND",
            "METHOD_NOT_ALLOWED",
            "DEVICE_NOT_CONNECTED",
            "DEVICE_LIMIT_REACHED",
            "WEBHOOK_LIMIT_REACHED",
            "WEBHOOK_DISABLED",
            "TEMPLATE_NAME_TAKEN",
            "TEMPLATE_CHANGED",
            "UPLOAD_LIMIT_REACHED",
            "UPLOAD_NOT_READY",
            "IMPORT_LIMIT_REACHED",
            "IMPORT_ENDED",
            "KEY_LIMIT_REACHED",
            "DEVICE_ALREADY_LINKED",
            "DEVICE_NOT_LINKED",
            "DEVICE_NOT_PAIRING",
            "DEVICE_IN_USE",
            "BROADCAST_STATE",
            "REPLAYED_REQUEST",
            "JOB_NOT_CANCELLABLE",
            "JOB_NOT_RETRYABLE",
            "NOT_IN_SANDBOX",
            "ALREADY_MEMBER",
            "ALREADY_OWNER",
            "LAST_OWNER",
            "PLAN_NAME_TAKEN",
            "TWO_FACTOR_OFF",
            "CURSOR_EXPIRED",
            "PAYLOAD_TOO_LARGE",
            "UNSUPPORTED_MEDIA_TYPE",
            "MISDIRECTED_REQUEST",
            "INVALID_REQUEST",
            "WEBHOOK_URL_NOT_ALLOWED",
            "RECIPIENT_SUPPRESSED",
            "EXPIRES_IN_QUIET_HOURS",
            "INVALID_PHONE_NUMBER",
            "UPLOAD_NOT_READABLE",
            "INVALID_PAYMENT_METHOD",
            "IDEMPOTENCY_KEY_REUSED",
            "CODE_NOT_ACCEPTED",
            "PASSKEY_NOT_ACCEPTED",
            "PASSWORD_NOT_ACCEPTED",
            "RATE_LIMITED",
            "HEADERS_TOO_LARGE",
            "INTERNAL_ERROR",
            "PAYMENT_METHOD_UNAVAILABLE",
            "PAYMENT_PROVIDER_ERROR",
            "SERVICE_UNAVAILABLE",
            "DEVICE_TIMEOUT",
        ] | None = None,
        request_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> Iterator[types.ListRequestsAnswerRequest]:
        """Iterate over the items of :meth:`list_requests`, page by page."""
        return self._pages(
            "requests",
            self.list_requests,
            api_key=api_key,
            outcome=outcome,
            operation=operation,
            code=code,
            request_id=request_id,
            limit=limit,
            cursor=cursor,
            timeout=timeout,
        )
