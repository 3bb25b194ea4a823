<?php

// Written from docs/openapi.json by `npm run generate`.

declare(strict_types=1);

namespace Kurir;

use DateTimeInterface;
use Generator;

/**
 * One method for each operation. It returns the `data` of the answer, or throws a KurirError if the gateway refuses or
 * does not answer. It throws an InvalidArgumentException if the call cannot be sent as it is. An argument that is left
 * out is not sent.
 */
abstract class Operations extends Calls
{
    /**
     * Send a text message. Kurir answers after it has stored the message. Use the job_id to follow it.
     *
     * The key needs the scope `messages:send`. A test key may use it for devices of a sandbox network and what belongs
     * to them.
     *
     * @param string $message The text, 1 to 4096 code points. Kurir sends it exactly as given.
     * @param string|null $phoneDestination The number as people write it, such as 0812 3456 7890 or +62 812 3456 7890.
     *     A number that begins with 0 belongs to the country of the account. Digits alone have a country code. Kurir
     *     stores digits with the country code.
     * @param string|null $conversationId Send to the person of this conversation, also if the number is hidden. The
     *     device is that of the conversation.
     * @param string|null $replyTo The message of the same chat that this one answers: a message_id or a job_id.
     * @param string|null $clientRef Your own id for this message. A repeated request with this id gets the first
     *     job_id. The account can use the id for another message after 24 hours at the earliest.
     * @param 'otp'|'normal'|'bulk'|null $priority Kurir sends `otp` before `normal`, and `normal` before `bulk`. The
     *     default is `normal`.
     * @param 'authentication'|'transactional'|'marketing'|null $category The purpose of the message. A person who opted
     *     out gets no `marketing`. The default for `otp` is `authentication`; the other priorities have
     *     `transactional`.
     * @param int|null $ttlSeconds Kurir does not send the message later than this many seconds after send_at, or after
     *     acceptance if there is no send_at. The default for `otp` is 300; the other priorities have none.
     * @param DateTimeInterface|string|null $sendAt When to send the message, up to 30 days ahead.
     * @param string|null $deviceId The device of this call. The default is that of the client.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function sendMessage(
        string $message,
        ?string $phoneDestination = null,
        ?string $conversationId = null,
        ?string $replyTo = null,
        ?string $clientRef = null,
        ?string $priority = null,
        ?string $category = null,
        ?int $ttlSeconds = null,
        DateTimeInterface|string|null $sendAt = null,
        ?string $deviceId = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('POST', '/api/v1/messages/send', 'first-answer', needsDevice: true, hasClientRef: true),
            body: [
                'message' => $message,
                'phone_destination' => $phoneDestination,
                'conversation_id' => $conversationId,
                'reply_to' => $replyTo,
                'client_ref' => $clientRef,
                'priority' => $priority,
                'category' => $category,
                'ttl_seconds' => $ttlSeconds,
                'send_at' => $sendAt,
            ],
            deviceId: $deviceId,
            timeout: $timeout,
        );
    }

    /**
     * Send up to 1,000 messages in one signed request. The answer has one result per message, in order.
     *
     * The key needs the scope `messages:send`. A test key may use it for devices of a sandbox network and what belongs
     * to them.
     *
     * @param list<array<string, mixed>> $messages
     * @param string|null $deviceId The device of this call. The default is that of the client.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function sendBulk(array $messages, ?string $deviceId = null, ?float $timeout = null): array
    {
        return $this->call(
            new Route('POST', '/api/v1/messages/bulk', 'first-answer', needsDevice: true, hasClientRef: true),
            body: ['messages' => $messages],
            deviceId: $deviceId,
            timeout: $timeout,
        );
    }

    /**
     * Start or stop the typing signal. It does not wait for other messages and costs no quota.
     *
     * The key needs the scope `presence:send`. A test key may use it for devices of a sandbox network and what belongs
     * to them.
     *
     * @param 'start'|'stop' $action
     * @param string|null $phoneDestination The number as people write it, such as 0812 3456 7890 or +62 812 3456 7890.
     *     A number that begins with 0 belongs to the country of the account. Digits alone have a country code. Kurir
     *     stores digits with the country code.
     * @param string|null $conversationId Send to the person of this conversation, also if the number is hidden. The
     *     device is that of the conversation.
     * @param string|null $deviceId The device of this call. The default is that of the client.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function chatPresence(
        string $action,
        ?string $phoneDestination = null,
        ?string $conversationId = null,
        ?string $deviceId = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('POST', '/api/v1/messages/chat-presence', 'refuse', needsDevice: true),
            body: ['action' => $action, 'phone_destination' => $phoneDestination, 'conversation_id' => $conversationId],
            deviceId: $deviceId,
            timeout: $timeout,
        );
    }

    /**
     * List jobs, newest first, with filters and a cursor. With `q`, `api_key` or `reason` a request looks through
     * 20,000 jobs: its page may be short or empty although `next_cursor` goes on.
     *
     * The key needs the scope `messages:read`. A test key may use it for devices of a sandbox network and what belongs
     * to them.
     *
     * @param 'queued'|'sending'|'sent'|'delivered'|'read'|'failed'|'expired'|'cancelled'|'unknown'|'scheduled'|null
     *     $status
     * @param string|null $deviceId
     * @param string|null $phoneDestination
     * @param string|null $clientRef Your own id for this message. A repeated request with this id gets the first
     *     job_id. The account can use the id for another message after 24 hours at the earliest.
     * @param 'otp'|'normal'|'bulk'|null $priority
     * @param string|null $broadcastId Only messages that this broadcast released.
     * @param DateTimeInterface|string|null $since Only messages that were accepted at this time or later.
     * @param DateTimeInterface|string|null $until Only messages that were accepted before this time.
     * @param string|null $apiKey Only messages that this key sent.
     * @param
     *     'recipient_not_on_network'|'recipient_unavailable'|'rejected_by_network'|'rate_limited_by_network'|'new_contacts_restricted'|'recipient_token_required'|'recipient_address_refused'|'temporarily_unavailable'|'content_unreadable'|'recipient_suppressed'|'device_unlinked'|'no_answer'|null
     *     $reason Only messages with this reason.
     * @param string|null $q A job id or a client_ref. Or 4 digits or more of a phone number. Or 3 characters or more of
     *     a client_ref or of the name of a broadcast.
     * @param string|list<string>|null $jobIds Up to 100 job ids, separated by commas. The answer leaves out ids that
     *     the account does not have.
     * @param DateTimeInterface|string|null $updatedSince Only jobs with an event at this time or later.
     * @param int|null $limit How many items a page has at most.
     * @param string|null $cursor The `next_cursor` of the page before. Left out: begin with the first page.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function listMessages(
        ?string $status = null,
        ?string $deviceId = null,
        ?string $phoneDestination = null,
        ?string $clientRef = null,
        ?string $priority = null,
        ?string $broadcastId = null,
        DateTimeInterface|string|null $since = null,
        DateTimeInterface|string|null $until = null,
        ?string $apiKey = null,
        ?string $reason = null,
        ?string $q = null,
        string|array|null $jobIds = null,
        DateTimeInterface|string|null $updatedSince = null,
        ?int $limit = null,
        ?string $cursor = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('GET', '/api/v1/messages', 'harmless'),
            query: [
                'status' => $status,
                'device_id' => $deviceId,
                'phone_destination' => $phoneDestination,
                'client_ref' => $clientRef,
                'priority' => $priority,
                'broadcast_id' => $broadcastId,
                'since' => $since,
                'until' => $until,
                'api_key' => $apiKey,
                'reason' => $reason,
                'q' => $q,
                'job_ids' => $jobIds,
                'updated_since' => $updatedSince,
                'limit' => $limit,
                'cursor' => $cursor,
            ],
            timeout: $timeout,
        );
    }

    /**
     * Iterates over the items of listMessages, page by page.
     *
     * @return Generator<int, array<string, mixed>>
     */
    public function iterMessages(
        ?string $status = null,
        ?string $deviceId = null,
        ?string $phoneDestination = null,
        ?string $clientRef = null,
        ?string $priority = null,
        ?string $broadcastId = null,
        DateTimeInterface|string|null $since = null,
        DateTimeInterface|string|null $until = null,
        ?string $apiKey = null,
        ?string $reason = null,
        ?string $q = null,
        string|array|null $jobIds = null,
        DateTimeInterface|string|null $updatedSince = null,
        ?int $limit = null,
        ?string $cursor = null,
        ?float $timeout = null,
    ): Generator {
        return $this->pages(
            'messages',
            fn (?string $next): array => $this->listMessages(
                $status,
                $deviceId,
                $phoneDestination,
                $clientRef,
                $priority,
                $broadcastId,
                $since,
                $until,
                $apiKey,
                $reason,
                $q,
                $jobIds,
                $updatedSince,
                $limit,
                $next,
                $timeout,
            ),
            $cursor,
        );
    }

    /**
     * Look up one job with its timeline.
     *
     * The key needs the scope `messages:read`. A test key may use it for devices of a sandbox network and what belongs
     * to them.
     *
     * @param string $jobId
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function getMessage(string $jobId, ?float $timeout = null): array
    {
        return $this->call(
            new Route('GET', '/api/v1/messages/{job_id}', 'harmless'),
            ids: ['job_id' => $jobId],
            timeout: $timeout,
        );
    }

    /**
     * Read the text of one message. The audit log records it. The text of a one-time code is never shown.
     *
     * The key needs the scope `conversations:read`. A test key may use it for devices of a sandbox network and what
     * belongs to them.
     *
     * @param string $jobId
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function readMessageText(string $jobId, ?float $timeout = null): array
    {
        return $this->call(
            new Route('GET', '/api/v1/messages/{job_id}/text', 'refuse'),
            ids: ['job_id' => $jobId],
            timeout: $timeout,
        );
    }

    /**
     * Cancel a message that Kurir is not sending yet. Its quota comes back.
     *
     * The key needs the scope `messages:send`. A test key may use it for devices of a sandbox network and what belongs
     * to them.
     *
     * @param string $jobId
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function cancelMessage(string $jobId, ?float $timeout = null): array
    {
        return $this->call(
            new Route('POST', '/api/v1/messages/{job_id}/cancel', 'refuse'),
            ids: ['job_id' => $jobId],
            timeout: $timeout,
        );
    }

    /**
     * Cancel up to 10,000 waiting messages that match a filter. Their quota comes back.
     *
     * The key needs the scope `messages:send`. A test key may use it for devices of a sandbox network and what belongs
     * to them.
     *
     * @param array<string, mixed> $filter Name at least one field. Kurir cancels only waiting messages, whatever the
     *     filter names.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function cancelMessages(array $filter, ?float $timeout = null): array
    {
        return $this->call(
            new Route('POST', '/api/v1/messages/cancel', 'refuse'),
            body: ['filter' => $filter],
            timeout: $timeout,
        );
    }

    /**
     * Renew the account's latest plan choice. Kurir creates a pending payment and the page to pay it.
     *
     * The key needs the scope `account:renew`. It needs a live key.
     *
     * @param string|null $paymentMethod `ordinary` is the default. `crypto` does not exist yet.
     * @param string|null $idempotencyKey A name of the request. A repeat with the same name gets the same renewal, also
     *     when it is paid by then. If that one expired or was cancelled, a new one is made.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function renewAccount(
        ?string $paymentMethod = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('POST', '/api/v1/account/renew', 'refuse'),
            query: ['payment_method' => $paymentMethod],
            idempotencyKey: $idempotencyKey,
            timeout: $timeout,
        );
    }

    /**
     * Look up one renewal: whether it is pending, paid, expired or cancelled.
     *
     * The key needs the scope `account:read`. A test key may use it, too.
     *
     * @param string $renewalId
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function getRenewal(string $renewalId, ?float $timeout = null): array
    {
        return $this->call(
            new Route('GET', '/api/v1/account/renewals/{renewal_id}', 'harmless'),
            ids: ['renewal_id' => $renewalId],
            timeout: $timeout,
        );
    }

    /**
     * Create a device. Link it to a messaging account afterwards. A repeated client_ref creates no second device.
     *
     * The key needs the scope `devices:write`. A test key may use it for devices of a sandbox network and what belongs
     * to them.
     *
     * @param string $name A name by which people tell devices apart.
     * @param 'whatsapp'|'simulator'|null $network The default is whatsapp.
     * @param string|null $clientRef Your own id for this device. A repeated request with this id gets the first
     *     device_id and creates no second device.
     * @param int|LeftOut|null $pacePerMinute The most messages per minute. Null: no limit. A new WhatsApp device has
     *     20.
     * @param int|null $paceJitterMs Each message waits for a random time up to this, in milliseconds. The average pace
     *     stays the same. A new WhatsApp device has 2000.
     * @param int|null $typingMs How long the recipient sees the device typing before each text, in milliseconds. 0: not
     *     at all.
     * @param 'automatic'|'fixed'|'unlimited'|null $newContactsPolicy How Kurir limits the new contacts that the device
     *     may write to within 24 hours. A new contact is somebody whom the device has neither written to nor heard
     *     from. Messages to further new contacts wait. `automatic`: the limit starts low and grows with each day
     *     without a restriction or a warning of the network. The device pauses between two new contacts, and a fifth of
     *     the limit is kept for one-time codes. `fixed`: the limit is `new_contacts_per_day`. `unlimited`: Kurir sets
     *     no limit. A new WhatsApp device is `automatic`. The network may restrict an account that writes to many new
     *     contacts.
     * @param int|LeftOut|null $newContactsPerDay The limit of the policy `fixed`: how many new contacts within 24
     *     hours. Kurir ignores it with the policy `automatic`. Without a policy, a number means `fixed` and null means
     *     `unlimited`. There is one exception: an `automatic` device stays `automatic` if the request repeats the
     *     number that the device shows.
     * @param string|LeftOut|null $proxy
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function createDevice(
        string $name,
        ?string $network = null,
        ?string $clientRef = null,
        int|LeftOut|null $pacePerMinute = LeftOut::Yes,
        ?int $paceJitterMs = null,
        ?int $typingMs = null,
        ?string $newContactsPolicy = null,
        int|LeftOut|null $newContactsPerDay = LeftOut::Yes,
        string|LeftOut|null $proxy = LeftOut::Yes,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route(
                'POST',
                '/api/v1/devices',
                'refuse',
                hasClientRef: true,
                nullable: ['pace_per_minute', 'new_contacts_per_day', 'proxy'],
            ),
            body: [
                'name' => $name,
                'network' => $network,
                'client_ref' => $clientRef,
                'pace_per_minute' => $pacePerMinute,
                'pace_jitter_ms' => $paceJitterMs,
                'typing_ms' => $typingMs,
                'new_contacts_policy' => $newContactsPolicy,
                'new_contacts_per_day' => $newContactsPerDay,
                'proxy' => $proxy,
            ],
            timeout: $timeout,
        );
    }

    /**
     * Change the name, the sending limits or the proxy of a device. A field that you leave out stays as it is. The
     * change takes effect at once.
     *
     * The key needs the scope `devices:write`. A test key may use it for devices of a sandbox network and what belongs
     * to them.
     *
     * @param string|null $name A name by which people tell devices apart.
     * @param 'none'|'all'|null $groups Whether messages in groups arrive: `none` (default) or `all`. Kurir does not
     *     write to groups.
     * @param int|LeftOut|null $pacePerMinute The most messages per minute. Null: no limit. A new WhatsApp device has
     *     20.
     * @param int|null $paceJitterMs Each message waits for a random time up to this, in milliseconds. The average pace
     *     stays the same. A new WhatsApp device has 2000.
     * @param int|null $typingMs How long the recipient sees the device typing before each text, in milliseconds. 0: not
     *     at all.
     * @param 'automatic'|'fixed'|'unlimited'|null $newContactsPolicy How Kurir limits the new contacts that the device
     *     may write to within 24 hours. A new contact is somebody whom the device has neither written to nor heard
     *     from. Messages to further new contacts wait. `automatic`: the limit starts low and grows with each day
     *     without a restriction or a warning of the network. The device pauses between two new contacts, and a fifth of
     *     the limit is kept for one-time codes. `fixed`: the limit is `new_contacts_per_day`. `unlimited`: Kurir sets
     *     no limit. A new WhatsApp device is `automatic`. The network may restrict an account that writes to many new
     *     contacts.
     * @param int|LeftOut|null $newContactsPerDay The limit of the policy `fixed`: how many new contacts within 24
     *     hours. Kurir ignores it with the policy `automatic`. Without a policy, a number means `fixed` and null means
     *     `unlimited`. There is one exception: an `automatic` device stays `automatic` if the request repeats the
     *     number that the device shows.
     * @param string|LeftOut|null $proxy
     * @param string|null $deviceId The device of this call. The default is that of the client.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function updateDevice(
        ?string $name = null,
        ?string $groups = null,
        int|LeftOut|null $pacePerMinute = LeftOut::Yes,
        ?int $paceJitterMs = null,
        ?int $typingMs = null,
        ?string $newContactsPolicy = null,
        int|LeftOut|null $newContactsPerDay = LeftOut::Yes,
        string|LeftOut|null $proxy = LeftOut::Yes,
        ?string $deviceId = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route(
                'PATCH',
                '/api/v1/devices',
                'refuse',
                needsDevice: true,
                nullable: ['pace_per_minute', 'new_contacts_per_day', 'proxy'],
            ),
            body: [
                'name' => $name,
                'groups' => $groups,
                'pace_per_minute' => $pacePerMinute,
                'pace_jitter_ms' => $paceJitterMs,
                'typing_ms' => $typingMs,
                'new_contacts_policy' => $newContactsPolicy,
                'new_contacts_per_day' => $newContactsPerDay,
                'proxy' => $proxy,
            ],
            deviceId: $deviceId,
            timeout: $timeout,
        );
    }

    /**
     * List the devices, oldest first. A device that is being linked shows the code to scan or type.
     *
     * The key needs the scope `devices:read`. A test key may use it for devices of a sandbox network and what belongs
     * to them.
     *
     * @param string|null $deviceId Only this device. The answer is 404 if the account does not have it.
     * @param string|null $include `activity`: each device also shows how many messages wait and how well it sends.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function listDevices(?string $deviceId = null, ?string $include = null, ?float $timeout = null): array
    {
        return $this->call(
            new Route('GET', '/api/v1/devices', 'harmless'),
            query: ['device_id' => $deviceId, 'include' => $include],
            timeout: $timeout,
        );
    }

    /**
     * Start linking a device. Its code appears in the list of devices shortly afterwards. It changes until a phone uses
     * it.
     *
     * The key needs the scope `devices:write`. A test key may use it for devices of a sandbox network and what belongs
     * to them.
     *
     * @param 'qr'|'pairing_code'|null $method `qr` (default): the phone scans a QR. `pairing_code`: a person types a
     *     code into the phone.
     * @param string|null $phoneNumber The number of the phone: digits with country code. `pairing_code` requires it,
     *     and `qr` does not take it.
     * @param string|null $deviceId The device of this call. The default is that of the client.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function linkDevice(
        ?string $method = null,
        ?string $phoneNumber = null,
        ?string $deviceId = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('POST', '/api/v1/devices/link', 'refuse', needsDevice: true),
            body: ['method' => $method, 'phone_number' => $phoneNumber],
            deviceId: $deviceId,
            timeout: $timeout,
        );
    }

    /**
     * Stop linking a device and hide its code. If a phone uses the code at the same moment, Kurir unlinks it again.
     *
     * The key needs the scope `devices:write`. A test key may use it for devices of a sandbox network and what belongs
     * to them.
     *
     * @param string|null $deviceId The device of this call. The default is that of the client.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function cancelLink(?string $deviceId = null, ?float $timeout = null): array
    {
        return $this->call(
            new Route('POST', '/api/v1/devices/link/cancel', 'refuse', needsDevice: true),
            deviceId: $deviceId,
            timeout: $timeout,
        );
    }

    /**
     * Connect a contested device again. Kurir stopped connecting it because another program used its credentials. For
     * any other linked device this changes nothing.
     *
     * The key needs the scope `devices:write`. A test key may use it for devices of a sandbox network and what belongs
     * to them.
     *
     * @param string|null $deviceId The device of this call. The default is that of the client.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function reconnectDevice(?string $deviceId = null, ?float $timeout = null): array
    {
        return $this->call(
            new Route('POST', '/api/v1/devices/reconnect', 'refuse', needsDevice: true),
            deviceId: $deviceId,
            timeout: $timeout,
        );
    }

    /**
     * Unlink the messaging account. Kurir logs out at the network and erases the session keys.
     *
     * The key needs the scope `devices:disconnect`. A test key may use it for devices of a sandbox network and what
     * belongs to them.
     *
     * @param string|null $deviceId The device of this call. The default is that of the client.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function disconnectDevice(?string $deviceId = null, ?float $timeout = null): array
    {
        return $this->call(
            new Route('POST', '/api/v1/devices/disconnect', 'refuse', needsDevice: true),
            deviceId: $deviceId,
            timeout: $timeout,
        );
    }

    /**
     * Delete a device that is not linked, with its name, number, contacts and settings. Its messages stay readable. Its
     * client_ref is free again.
     *
     * The key needs the scope `devices:write`. A test key may use it for devices of a sandbox network and what belongs
     * to them.
     *
     * @param string $deviceId
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function deleteDevice(string $deviceId, ?float $timeout = null): array
    {
        return $this->call(
            new Route('DELETE', '/api/v1/devices/{device_id}', 'refuse'),
            ids: ['device_id' => $deviceId],
            timeout: $timeout,
        );
    }

    /**
     * Look up the state of a device.
     *
     * The key needs the scope `devices:read`. A test key may use it for devices of a sandbox network and what belongs
     * to them.
     *
     * @param string|null $deviceId The device of this call. The default is that of the client.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function deviceInfo(?string $deviceId = null, ?float $timeout = null): array
    {
        return $this->call(
            new Route('GET', '/api/v1/devices/info', 'harmless', needsDevice: true),
            deviceId: $deviceId,
            timeout: $timeout,
        );
    }

    /**
     * Look up the health of a device: a word, its reasons, and what became of its messages on each of the last 30 days.
     * Workers count the days every few minutes.
     *
     * The key needs the scope `devices:read`. A test key may use it for devices of a sandbox network and what belongs
     * to them.
     *
     * @param string $deviceId
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function deviceHealth(string $deviceId, ?float $timeout = null): array
    {
        return $this->call(
            new Route('GET', '/api/v1/devices/{device_id}/health', 'harmless'),
            ids: ['device_id' => $deviceId],
            timeout: $timeout,
        );
    }

    /**
     * Look up the plan, the subscription period and the quota of the account.
     *
     * The key needs the scope `account:read`. A test key may use it, too.
     *
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function accountInfo(?float $timeout = null): array
    {
        return $this->call(new Route('GET', '/api/v1/account/info', 'harmless'), timeout: $timeout);
    }

    /**
     * Look up the account's latest plan choice at its present price.
     *
     * The key needs the scope `account:read`. A test key may use it, too.
     *
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function latestPlan(?float $timeout = null): array
    {
        return $this->call(new Route('GET', '/api/v1/account/planchoices/latest', 'harmless'), timeout: $timeout);
    }

    /**
     * List conversations. The one in which somebody wrote last comes first.
     *
     * The key needs the scope `conversations:read`. A test key may use it for devices of a sandbox network and what
     * belongs to them.
     *
     * @param string|null $deviceId
     * @param string|null $phone Only the conversations with this number: digits with country code, without separators.
     * @param string|null $q A part of the name of the person or of their contact, or of the number.
     * @param bool|null $unread `true`: only those with unread messages.
     * @param int|null $limit How many items a page has at most.
     * @param string|null $cursor The `next_cursor` of the page before. Left out: begin with the first page.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function listConversations(
        ?string $deviceId = null,
        ?string $phone = null,
        ?string $q = null,
        ?bool $unread = null,
        ?int $limit = null,
        ?string $cursor = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('GET', '/api/v1/conversations', 'harmless'),
            query: [
                'device_id' => $deviceId,
                'phone' => $phone,
                'q' => $q,
                'unread' => $unread,
                'limit' => $limit,
                'cursor' => $cursor,
            ],
            timeout: $timeout,
        );
    }

    /**
     * Iterates over the items of listConversations, page by page.
     *
     * @return Generator<int, array<string, mixed>>
     */
    public function iterConversations(
        ?string $deviceId = null,
        ?string $phone = null,
        ?string $q = null,
        ?bool $unread = null,
        ?int $limit = null,
        ?string $cursor = null,
        ?float $timeout = null,
    ): Generator {
        return $this->pages(
            'conversations',
            fn (?string $next): array => $this->listConversations(
                $deviceId,
                $phone,
                $q,
                $unread,
                $limit,
                $next,
                $timeout,
            ),
            $cursor,
        );
    }

    /**
     * Look up one conversation. The id of one that was joined with an older one gives the older one.
     *
     * The key needs the scope `conversations:read`. A test key may use it for devices of a sandbox network and what
     * belongs to them.
     *
     * @param string $conversationId
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function getConversation(string $conversationId, ?float $timeout = null): array
    {
        return $this->call(
            new Route('GET', '/api/v1/conversations/{conversation_id}', 'harmless'),
            ids: ['conversation_id' => $conversationId],
            timeout: $timeout,
        );
    }

    /**
     * List the messages of both directions, newest first. The texts of one-time codes are left out.
     *
     * The key needs the scope `conversations:read`. A test key may use it for devices of a sandbox network and what
     * belongs to them.
     *
     * @param string $conversationId
     * @param int|null $limit How many items a page has at most.
     * @param string|null $cursor The `next_cursor` of the page before. Left out: begin with the first page.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function listConversationMessages(
        string $conversationId,
        ?int $limit = null,
        ?string $cursor = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('GET', '/api/v1/conversations/{conversation_id}/messages', 'harmless'),
            ids: ['conversation_id' => $conversationId],
            query: ['limit' => $limit, 'cursor' => $cursor],
            timeout: $timeout,
        );
    }

    /**
     * Iterates over the items of listConversationMessages, page by page.
     *
     * @return Generator<int, array<string, mixed>>
     */
    public function iterConversationMessages(
        string $conversationId,
        ?int $limit = null,
        ?string $cursor = null,
        ?float $timeout = null,
    ): Generator {
        return $this->pages(
            'messages',
            fn (?string $next): array => $this->listConversationMessages($conversationId, $limit, $next, $timeout),
            $cursor,
        );
    }

    /**
     * Mark all messages of the conversation as read. Kurir tells the network when the device is connected.
     *
     * The key needs the scope `conversations:write`. A test key may use it for devices of a sandbox network and what
     * belongs to them.
     *
     * @param string $conversationId
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function markConversationRead(string $conversationId, ?float $timeout = null): array
    {
        return $this->call(
            new Route('POST', '/api/v1/conversations/{conversation_id}/read', 'refuse'),
            ids: ['conversation_id' => $conversationId],
            timeout: $timeout,
        );
    }

    /**
     * Suppress people: they get no marketing, or nothing. Messages that wait for them are cancelled.
     *
     * The key needs the scope `contacts:write`. It needs a live key.
     *
     * @param string|null $phone The number as people write it, such as 0812 3456 7890 or +62 812 3456 7890. A number
     *     that begins with 0 belongs to the country of the account. Digits alone have a country code. Kurir stores
     *     digits with the country code.
     * @param list<string>|null $phones 1 to 1000 numbers. One that is not possible refuses all of them.
     * @param 'marketing'|'all'|null $scope `marketing` (default): they get no messages of this category. `all`: they
     *     get nothing.
     * @param 'manual'|'complaint'|'import'|'bounced'|null $reason The default is `manual`. `manual`: Somebody of the
     *     account added the person. `complaint`: The person complained. `import`: The person came with a list.
     *     `bounced`: The number does not exist.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function addSuppressions(
        ?string $phone = null,
        ?array $phones = null,
        ?string $scope = null,
        ?string $reason = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('POST', '/api/v1/suppressions', 'refuse'),
            body: ['phone' => $phone, 'phones' => $phones, 'scope' => $scope, 'reason' => $reason],
            timeout: $timeout,
        );
    }

    /**
     * List suppressions, newest first.
     *
     * The key needs the scope `contacts:read`. It needs a live key.
     *
     * @param string|null $phone Only this number. It finds the number also after its erasure.
     * @param 'marketing'|'all'|null $scope
     * @param int|null $limit How many items a page has at most.
     * @param string|null $cursor The `next_cursor` of the page before. Left out: begin with the first page.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function listSuppressions(
        ?string $phone = null,
        ?string $scope = null,
        ?int $limit = null,
        ?string $cursor = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('GET', '/api/v1/suppressions', 'harmless'),
            query: ['phone' => $phone, 'scope' => $scope, 'limit' => $limit, 'cursor' => $cursor],
            timeout: $timeout,
        );
    }

    /**
     * Iterates over the items of listSuppressions, page by page.
     *
     * @return Generator<int, array<string, mixed>>
     */
    public function iterSuppressions(
        ?string $phone = null,
        ?string $scope = null,
        ?int $limit = null,
        ?string $cursor = null,
        ?float $timeout = null,
    ): Generator {
        return $this->pages(
            'suppressions',
            fn (?string $next): array => $this->listSuppressions($phone, $scope, $limit, $next, $timeout),
            $cursor,
        );
    }

    /**
     * Remove a suppression, also one of an erased number. `phone` may be a `user_id` of the list, too.
     *
     * The key needs the scope `contacts:write`. It needs a live key.
     *
     * @param string $phone
     * @param 'marketing'|'all'|null $scope Without it, both scopes are removed.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function removeSuppression(string $phone, ?string $scope = null, ?float $timeout = null): array
    {
        return $this->call(
            new Route('DELETE', '/api/v1/suppressions/{phone}', 'refuse'),
            ids: ['phone' => $phone],
            query: ['scope' => $scope],
            timeout: $timeout,
        );
    }

    /**
     * Show the words by which people opt out and in again, and the replies.
     *
     * The key needs the scope `contacts:read`. It needs a live key.
     *
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function getOptOut(?float $timeout = null): array
    {
        return $this->call(new Route('GET', '/api/v1/opt-out', 'harmless'), timeout: $timeout);
    }

    /**
     * Replace the words and the replies. A word must not stand in both lists.
     *
     * The key needs the scope `contacts:write`. It needs a live key.
     *
     * @param list<string> $stopWords A person who writes one of these words, and nothing else, opts out of marketing.
     * @param list<string> $startWords One of these words opts in again.
     * @param string|LeftOut|null $stopReply The reply to a person who opted out. Null: none.
     * @param string|LeftOut|null $startReply The reply to a person who opted in again. Null: none.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function setOptOut(
        array $stopWords,
        array $startWords,
        ?string $stopReply,
        ?string $startReply,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('PUT', '/api/v1/opt-out', 'refuse', nullable: ['stop_reply', 'start_reply']),
            body: [
                'stop_words' => $stopWords,
                'start_words' => $startWords,
                'stop_reply' => $stopReply,
                'start_reply' => $startReply,
            ],
            timeout: $timeout,
        );
    }

    /**
     * Read the events of the account, oldest first. Pass next_cursor as after. With `Accept: text/event-stream`, the
     * answer is a stream of the same events.
     *
     * The key needs the scope `events:read`. A test key may use it for devices of a sandbox network and what belongs to
     * them.
     *
     * @param string|null $after The `next_cursor` of the page before. `earliest`: begin with the oldest event. Left
     *     out: begin now.
     * @param int|null $limit How many items a page has at most.
     * @param string|list<string>|null $types Only events of these types, separated by commas.
     * @param string|null $deviceId
     * @param int|null $wait If there is no event yet, the answer waits for one, up to this many seconds.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function listEvents(
        ?string $after = null,
        ?int $limit = null,
        string|array|null $types = null,
        ?string $deviceId = null,
        ?int $wait = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('GET', '/api/v1/events', 'harmless'),
            query: ['after' => $after, 'limit' => $limit, 'types' => $types, 'device_id' => $deviceId, 'wait' => $wait],
            timeout: $timeout,
        );
    }

    /**
     * Create a webhook. It gets the events that happen from now on. Only this answer shows its secret.
     *
     * The key needs the scope `webhooks:write`. A test key may use it for devices of a sandbox network and what belongs
     * to them.
     *
     * @param string $url Where Kurir posts events: http or https, without user name, password and fragment. The port is
     *     80, 443 or above 1023. The address must be public.
     * @param string|null $description
     * @param list<string>|null $types The types of events that the webhook gets. Empty: all but `message.accepted`,
     *     `message.sending`, `message.waiting` and `message.sent_elsewhere`.
     * @param list<string>|null $deviceIds Only events of these devices. Empty: of all devices, and events without a
     *     device.
     * @param 'parallel'|'ordered'|null $mode `parallel` (default): many events at once. `ordered`: events of one
     *     subject one after the other, in the order of `sequence`.
     * @param int|LeftOut|null $maxPerSecond The most events a second. Null: no limit.
     * @param bool|null $enabled
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function createWebhook(
        string $url,
        ?string $description = null,
        ?array $types = null,
        ?array $deviceIds = null,
        ?string $mode = null,
        int|LeftOut|null $maxPerSecond = LeftOut::Yes,
        ?bool $enabled = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('POST', '/api/v1/webhooks', 'refuse', nullable: ['max_per_second']),
            body: [
                'url' => $url,
                'description' => $description,
                'types' => $types,
                'device_ids' => $deviceIds,
                'mode' => $mode,
                'max_per_second' => $maxPerSecond,
                'enabled' => $enabled,
            ],
            timeout: $timeout,
        );
    }

    /**
     * List the webhooks, oldest first, with their health and without secrets.
     *
     * The key needs the scope `webhooks:read`. A test key may use it for devices of a sandbox network and what belongs
     * to them.
     *
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function listWebhooks(?float $timeout = null): array
    {
        return $this->call(new Route('GET', '/api/v1/webhooks', 'harmless'), timeout: $timeout);
    }

    /**
     * Look up a webhook with its health and its last replays.
     *
     * The key needs the scope `webhooks:read`. A test key may use it for devices of a sandbox network and what belongs
     * to them.
     *
     * @param string $webhookId
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function getWebhook(string $webhookId, ?float $timeout = null): array
    {
        return $this->call(
            new Route('GET', '/api/v1/webhooks/{webhook_id}', 'harmless'),
            ids: ['webhook_id' => $webhookId],
            timeout: $timeout,
        );
    }

    /**
     * Change a webhook. A field that you leave out stays as it is. A webhook that you enable goes on with the first
     * event that it did not get.
     *
     * The key needs the scope `webhooks:write`. A test key may use it for devices of a sandbox network and what belongs
     * to them.
     *
     * @param string $webhookId
     * @param string|null $url Where Kurir posts events: http or https, without user name, password and fragment. The
     *     port is 80, 443 or above 1023. The address must be public.
     * @param string|null $description
     * @param list<string>|null $types The types of events that the webhook gets. Empty: all but `message.accepted`,
     *     `message.sending`, `message.waiting` and `message.sent_elsewhere`.
     * @param list<string>|null $deviceIds Only events of these devices. Empty: of all devices, and events without a
     *     device.
     * @param 'parallel'|'ordered'|null $mode `parallel` (default): many events at once. `ordered`: events of one
     *     subject one after the other, in the order of `sequence`.
     * @param int|LeftOut|null $maxPerSecond The most events a second. Null: no limit.
     * @param bool|null $enabled
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function updateWebhook(
        string $webhookId,
        ?string $url = null,
        ?string $description = null,
        ?array $types = null,
        ?array $deviceIds = null,
        ?string $mode = null,
        int|LeftOut|null $maxPerSecond = LeftOut::Yes,
        ?bool $enabled = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('PATCH', '/api/v1/webhooks/{webhook_id}', 'refuse', nullable: ['max_per_second']),
            ids: ['webhook_id' => $webhookId],
            body: [
                'url' => $url,
                'description' => $description,
                'types' => $types,
                'device_ids' => $deviceIds,
                'mode' => $mode,
                'max_per_second' => $maxPerSecond,
                'enabled' => $enabled,
            ],
            timeout: $timeout,
        );
    }

    /**
     * Delete a webhook, with its secrets, attempts and waiting events.
     *
     * The key needs the scope `webhooks:write`. A test key may use it for devices of a sandbox network and what belongs
     * to them.
     *
     * @param string $webhookId
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function deleteWebhook(string $webhookId, ?float $timeout = null): array
    {
        return $this->call(
            new Route('DELETE', '/api/v1/webhooks/{webhook_id}', 'refuse'),
            ids: ['webhook_id' => $webhookId],
            timeout: $timeout,
        );
    }

    /**
     * Give a webhook a new secret. For 24 hours both secrets sign. Only this answer shows the new one.
     *
     * The key needs the scope `webhooks:write`. A test key may use it for devices of a sandbox network and what belongs
     * to them.
     *
     * @param string $webhookId
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function rotateWebhookSecret(string $webhookId, ?float $timeout = null): array
    {
        return $this->call(
            new Route('POST', '/api/v1/webhooks/{webhook_id}/rotate-secret', 'refuse'),
            ids: ['webhook_id' => $webhookId],
            timeout: $timeout,
        );
    }

    /**
     * Send the event `webhook.ping` to this webhook alone. Its result appears among the attempts.
     *
     * The key needs the scope `webhooks:write`. A test key may use it for devices of a sandbox network and what belongs
     * to them.
     *
     * @param string $webhookId
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function pingWebhook(string $webhookId, ?float $timeout = null): array
    {
        return $this->call(
            new Route('POST', '/api/v1/webhooks/{webhook_id}/ping', 'refuse'),
            ids: ['webhook_id' => $webhookId],
            timeout: $timeout,
        );
    }

    /**
     * Send the events of a span once more. With dry_run the answer only says how many they are.
     *
     * The key needs the scope `webhooks:write`. A test key may use it for devices of a sandbox network and what belongs
     * to them.
     *
     * @param string $webhookId
     * @param DateTimeInterface|string $since At most as many days ago as the gateway keeps events
     *     (`KURIR_EVENTS_RETENTION_DAYS`, by default 30).
     * @param DateTimeInterface|string|null $until Default: now.
     * @param list<string>|null $types The types of events that the webhook gets. Empty: all but `message.accepted`,
     *     `message.sending`, `message.waiting` and `message.sent_elsewhere`.
     * @param bool|null $dryRun True: only count the events.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function replayWebhook(
        string $webhookId,
        DateTimeInterface|string $since,
        DateTimeInterface|string|null $until = null,
        ?array $types = null,
        ?bool $dryRun = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('POST', '/api/v1/webhooks/{webhook_id}/replay', 'refuse'),
            ids: ['webhook_id' => $webhookId],
            body: ['since' => $since, 'until' => $until, 'types' => $types, 'dry_run' => $dryRun],
            timeout: $timeout,
        );
    }

    /**
     * List attempts to deliver, newest first: every failure, every ping and a sample of successes.
     *
     * The key needs the scope `webhooks:read`. A test key may use it for devices of a sandbox network and what belongs
     * to them.
     *
     * @param string $webhookId
     * @param 'delivered'|'retrying'|'failed'|'probed'|null $outcome
     * @param string|null $eventId Only attempts of this event.
     * @param int|null $limit How many items a page has at most.
     * @param string|null $cursor The `next_cursor` of the page before. Left out: begin with the first page.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function listWebhookAttempts(
        string $webhookId,
        ?string $outcome = null,
        ?string $eventId = null,
        ?int $limit = null,
        ?string $cursor = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('GET', '/api/v1/webhooks/{webhook_id}/attempts', 'harmless'),
            ids: ['webhook_id' => $webhookId],
            query: ['outcome' => $outcome, 'event_id' => $eventId, 'limit' => $limit, 'cursor' => $cursor],
            timeout: $timeout,
        );
    }

    /**
     * Iterates over the items of listWebhookAttempts, page by page.
     *
     * @return Generator<int, array<string, mixed>>
     */
    public function iterWebhookAttempts(
        string $webhookId,
        ?string $outcome = null,
        ?string $eventId = null,
        ?int $limit = null,
        ?string $cursor = null,
        ?float $timeout = null,
    ): Generator {
        return $this->pages(
            'attempts',
            fn (?string $next): array => $this->listWebhookAttempts(
                $webhookId,
                $outcome,
                $eventId,
                $limit,
                $next,
                $timeout,
            ),
            $cursor,
        );
    }

    /**
     * List the events that used all tries, newest first.
     *
     * The key needs the scope `webhooks:read`. A test key may use it for devices of a sandbox network and what belongs
     * to them.
     *
     * @param string $webhookId
     * @param int|null $limit How many items a page has at most.
     * @param string|null $cursor The `next_cursor` of the page before. Left out: begin with the first page.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function listFailedEvents(
        string $webhookId,
        ?int $limit = null,
        ?string $cursor = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('GET', '/api/v1/webhooks/{webhook_id}/failed-events', 'harmless'),
            ids: ['webhook_id' => $webhookId],
            query: ['limit' => $limit, 'cursor' => $cursor],
            timeout: $timeout,
        );
    }

    /**
     * Iterates over the items of listFailedEvents, page by page.
     *
     * @return Generator<int, array<string, mixed>>
     */
    public function iterFailedEvents(
        string $webhookId,
        ?int $limit = null,
        ?string $cursor = null,
        ?float $timeout = null,
    ): Generator {
        return $this->pages(
            'events',
            fn (?string $next): array => $this->listFailedEvents($webhookId, $limit, $next, $timeout),
            $cursor,
        );
    }

    /**
     * Send one event to a webhook once more, with all its tries.
     *
     * The key needs the scope `webhooks:write`. A test key may use it for devices of a sandbox network and what belongs
     * to them.
     *
     * @param string $eventId
     * @param string $webhookId
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function resendEvent(string $eventId, string $webhookId, ?float $timeout = null): array
    {
        return $this->call(
            new Route('POST', '/api/v1/events/{event_id}/resend', 'refuse'),
            ids: ['event_id' => $eventId],
            body: ['webhook_id' => $webhookId],
            timeout: $timeout,
        );
    }

    /**
     * Create a template with its version 1.
     *
     * The key needs the scope `broadcasts:write`. It needs a live key.
     *
     * @param string $name Each template of an account has another name.
     * @param string $text The text, with `{{name}}`, `{{name|fallback}}` and `{{pick:one|two}}`. A backslash makes `{`,
     *     `}` and `|` plain text.
     * @param string|LeftOut|null $footer One line after the text and an empty line. Null or empty: none.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function createTemplate(
        string $name,
        string $text,
        string|LeftOut|null $footer = LeftOut::Yes,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('POST', '/api/v1/templates', 'refuse', nullable: ['footer']),
            body: ['name' => $name, 'text' => $text, 'footer' => $footer],
            timeout: $timeout,
        );
    }

    /**
     * List the templates that are not archived, newest first, each with its latest version.
     *
     * The key needs the scope `broadcasts:read`. A test key may use it, too.
     *
     * @param int|null $limit How many items a page has at most.
     * @param string|null $cursor The `next_cursor` of the page before. Left out: begin with the first page.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function listTemplates(?int $limit = null, ?string $cursor = null, ?float $timeout = null): array
    {
        return $this->call(
            new Route('GET', '/api/v1/templates', 'harmless'),
            query: ['limit' => $limit, 'cursor' => $cursor],
            timeout: $timeout,
        );
    }

    /**
     * Iterates over the items of listTemplates, page by page.
     *
     * @return Generator<int, array<string, mixed>>
     */
    public function iterTemplates(?int $limit = null, ?string $cursor = null, ?float $timeout = null): Generator
    {
        return $this->pages(
            'templates',
            fn (?string $next): array => $this->listTemplates($limit, $next, $timeout),
            $cursor,
        );
    }

    /**
     * Render a text for up to 20 recipients. It stores nothing. A broadcast may make other picks.
     *
     * The key needs the scope `broadcasts:read`. A test key may use it, too.
     *
     * @param string $text The text, with `{{name}}`, `{{name|fallback}}` and `{{pick:one|two}}`. A backslash makes `{`,
     *     `}` and `|` plain text.
     * @param list<array<string, mixed>> $rows
     * @param string|LeftOut|null $footer One line after the text and an empty line. Null or empty: none.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function previewTemplate(
        string $text,
        array $rows,
        string|LeftOut|null $footer = LeftOut::Yes,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('POST', '/api/v1/templates/preview', 'harmless', nullable: ['footer']),
            body: ['text' => $text, 'rows' => $rows, 'footer' => $footer],
            timeout: $timeout,
        );
    }

    /**
     * Look up a template with its latest version and its variables, also an archived one.
     *
     * The key needs the scope `broadcasts:read`. A test key may use it, too.
     *
     * @param string $templateId
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function getTemplate(string $templateId, ?float $timeout = null): array
    {
        return $this->call(
            new Route('GET', '/api/v1/templates/{template_id}', 'harmless'),
            ids: ['template_id' => $templateId],
            timeout: $timeout,
        );
    }

    /**
     * Archive a template. Nobody can change or list it any more, and its name is free again.
     *
     * The key needs the scope `broadcasts:write`. It needs a live key.
     *
     * @param string $templateId
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function archiveTemplate(string $templateId, ?float $timeout = null): array
    {
        return $this->call(
            new Route('DELETE', '/api/v1/templates/{template_id}', 'refuse'),
            ids: ['template_id' => $templateId],
            timeout: $timeout,
        );
    }

    /**
     * List the versions of a template, newest first.
     *
     * The key needs the scope `broadcasts:read`. A test key may use it, too.
     *
     * @param string $templateId
     * @param int|null $limit How many items a page has at most.
     * @param string|null $cursor The `next_cursor` of the page before. Left out: begin with the first page.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function listTemplateVersions(
        string $templateId,
        ?int $limit = null,
        ?string $cursor = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('GET', '/api/v1/templates/{template_id}/versions', 'harmless'),
            ids: ['template_id' => $templateId],
            query: ['limit' => $limit, 'cursor' => $cursor],
            timeout: $timeout,
        );
    }

    /**
     * Iterates over the items of listTemplateVersions, page by page.
     *
     * @return Generator<int, array<string, mixed>>
     */
    public function iterTemplateVersions(
        string $templateId,
        ?int $limit = null,
        ?string $cursor = null,
        ?float $timeout = null,
    ): Generator {
        return $this->pages(
            'versions',
            fn (?string $next): array => $this->listTemplateVersions($templateId, $limit, $next, $timeout),
            $cursor,
        );
    }

    /**
     * Add a version to a template. Earlier versions stay as they are.
     *
     * The key needs the scope `broadcasts:write`. It needs a live key.
     *
     * @param string $templateId
     * @param string $text The text, with `{{name}}`, `{{name|fallback}}` and `{{pick:one|two}}`. A backslash makes `{`,
     *     `}` and `|` plain text.
     * @param string|LeftOut|null $footer One line after the text and an empty line. Null or empty: none.
     * @param int|null $baseVersion The version that you changed. If it is not the latest any more, the answer is 409.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function createTemplateVersion(
        string $templateId,
        string $text,
        string|LeftOut|null $footer = LeftOut::Yes,
        ?int $baseVersion = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('POST', '/api/v1/templates/{template_id}/versions', 'refuse', nullable: ['footer']),
            ids: ['template_id' => $templateId],
            body: ['text' => $text, 'footer' => $footer, 'base_version' => $baseVersion],
            timeout: $timeout,
        );
    }

    /**
     * Create a broadcast as a draft. Nothing goes out until you start it. A worker reads a file or contacts; it is
     * `checking` meanwhile.
     *
     * The key needs the scope `broadcasts:write`. A test key may use it for devices of a sandbox network and what
     * belongs to them.
     *
     * @param string $name
     * @param list<string> $deviceIds The devices that send it. A person stays with the device that knows the person.
     * @param string|null $message The text, in the language of templates. Give this or `template_id`.
     * @param string|LeftOut|null $footer One line after the text and an empty line. Null or empty: none.
     * @param string|null $templateId
     * @param int|null $templateVersion The latest, if left out.
     * @param array<string, mixed>|null $audience Exactly one of `rows`, `upload_id` and `contacts`. A file and contacts
     *     are read by a worker, while the broadcast is `checking`.
     * @param 'authentication'|'transactional'|'marketing'|null $category `marketing` if left out.
     * @param DateTimeInterface|string|null $sendAt It starts then, once you have started it.
     * @param int|LeftOut|null $pacePerMinute At most so many messages a minute, over all devices. Null: the devices
     *     have their own pace.
     * @param array<string, mixed>|LeftOut|null $window The hours of the recipient, or of the account, in which messages
     *     go out. Left out: 08:00 to 21:00 of the recipient for marketing, any hour for the rest. Null: any hour.
     *     Marketing in other hours than the usual ones must be confirmed with `confirm_any_hour`: see the start.
     * @param int|LeftOut|null $maxPerPersonADay A person who got so many marketing messages of the account within 24
     *     hours is skipped. 1 if left out. Null: nobody is skipped.
     * @param array<string, mixed>|null $guards The broadcast pauses if so many of the last 50 messages of a device
     *     failed, or so many of their recipients opted out. 20 and 3 if left out. Null: never.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function createBroadcast(
        string $name,
        array $deviceIds,
        ?string $message = null,
        string|LeftOut|null $footer = LeftOut::Yes,
        ?string $templateId = null,
        ?int $templateVersion = null,
        ?array $audience = null,
        ?string $category = null,
        DateTimeInterface|string|null $sendAt = null,
        int|LeftOut|null $pacePerMinute = LeftOut::Yes,
        array|LeftOut|null $window = LeftOut::Yes,
        int|LeftOut|null $maxPerPersonADay = LeftOut::Yes,
        ?array $guards = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route(
                'POST',
                '/api/v1/broadcasts',
                'refuse',
                nullable: ['footer', 'pace_per_minute', 'window', 'max_per_person_a_day'],
            ),
            body: [
                'name' => $name,
                'device_ids' => $deviceIds,
                'message' => $message,
                'footer' => $footer,
                'template_id' => $templateId,
                'template_version' => $templateVersion,
                'audience' => $audience,
                'category' => $category,
                'send_at' => $sendAt,
                'pace_per_minute' => $pacePerMinute,
                'window' => $window,
                'max_per_person_a_day' => $maxPerPersonADay,
                'guards' => $guards,
            ],
            timeout: $timeout,
        );
    }

    /**
     * List the broadcasts, newest first.
     *
     * The key needs the scope `broadcasts:read`. A test key may use it for devices of a sandbox network and what
     * belongs to them.
     *
     * @param int|null $limit How many items a page has at most.
     * @param string|null $cursor The `next_cursor` of the page before. Left out: begin with the first page.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function listBroadcasts(?int $limit = null, ?string $cursor = null, ?float $timeout = null): array
    {
        return $this->call(
            new Route('GET', '/api/v1/broadcasts', 'harmless'),
            query: ['limit' => $limit, 'cursor' => $cursor],
            timeout: $timeout,
        );
    }

    /**
     * Iterates over the items of listBroadcasts, page by page.
     *
     * @return Generator<int, array<string, mixed>>
     */
    public function iterBroadcasts(?int $limit = null, ?string $cursor = null, ?float $timeout = null): Generator
    {
        return $this->pages(
            'broadcasts',
            fn (?string $next): array => $this->listBroadcasts($limit, $next, $timeout),
            $cursor,
        );
    }

    /**
     * Add rows to the list of a draft. Nobody gets two messages: a second row of the same number is skipped.
     *
     * The key needs the scope `broadcasts:write`. A test key may use it for devices of a sandbox network and what
     * belongs to them.
     *
     * @param string $broadcastId
     * @param int $after How many rows the list has so far. So a repeat adds nothing twice.
     * @param list<array<string, mixed>> $rows
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function addBroadcastRecipients(string $broadcastId, int $after, array $rows, ?float $timeout = null): array
    {
        return $this->call(
            new Route('POST', '/api/v1/broadcasts/{broadcast_id}/recipients', 'refuse'),
            ids: ['broadcast_id' => $broadcastId],
            body: ['after' => $after, 'rows' => $rows],
            timeout: $timeout,
        );
    }

    /**
     * List the recipients in the order of the list, each with one outcome.
     *
     * The key needs the scope `broadcasts:read`. A test key may use it for devices of a sandbox network and what
     * belongs to them.
     *
     * @param string $broadcastId
     * @param
     *     'pending'|'skipped'|'queued'|'sending'|'sent'|'delivered'|'read'|'failed'|'expired'|'cancelled'|'unknown'|null
     *     $outcome
     * @param int|null $limit How many items a page has at most.
     * @param string|null $cursor The `next_cursor` of the page before. Left out: begin with the first page.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function listBroadcastRecipients(
        string $broadcastId,
        ?string $outcome = null,
        ?int $limit = null,
        ?string $cursor = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('GET', '/api/v1/broadcasts/{broadcast_id}/recipients', 'harmless'),
            ids: ['broadcast_id' => $broadcastId],
            query: ['outcome' => $outcome, 'limit' => $limit, 'cursor' => $cursor],
            timeout: $timeout,
        );
    }

    /**
     * Iterates over the items of listBroadcastRecipients, page by page.
     *
     * @return Generator<int, array<string, mixed>>
     */
    public function iterBroadcastRecipients(
        string $broadcastId,
        ?string $outcome = null,
        ?int $limit = null,
        ?string $cursor = null,
        ?float $timeout = null,
    ): Generator {
        return $this->pages(
            'recipients',
            fn (?string $next): array => $this->listBroadcastRecipients(
                $broadcastId,
                $outcome,
                $limit,
                $next,
                $timeout,
            ),
            $cursor,
        );
    }

    /**
     * Fix the list, and say what would go out and what would not. It sends nothing. While the broadcast is `checking`,
     * it says what is read so far and fixes nothing.
     *
     * The key needs the scope `broadcasts:write`. A test key may use it for devices of a sandbox network and what
     * belongs to them.
     *
     * @param string $broadcastId
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function checkBroadcast(string $broadcastId, ?float $timeout = null): array
    {
        return $this->call(
            new Route('POST', '/api/v1/broadcasts/{broadcast_id}/check', 'refuse'),
            ids: ['broadcast_id' => $broadcastId],
            timeout: $timeout,
        );
    }

    /**
     * Start the broadcast, or let it start at `send_at`. The quota of all its messages is set aside.
     *
     * The key needs the scope `broadcasts:write`. A test key may use it for devices of a sandbox network and what
     * belongs to them.
     *
     * @param string $broadcastId
     * @param bool|null $confirmAnyHour Must be true for marketing whose window is null, or begins before 08:00 or ends
     *     after 21:00: it may reach people at night.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function startBroadcast(string $broadcastId, ?bool $confirmAnyHour = null, ?float $timeout = null): array
    {
        return $this->call(
            new Route('POST', '/api/v1/broadcasts/{broadcast_id}/start', 'refuse'),
            ids: ['broadcast_id' => $broadcastId],
            body: ['confirm_any_hour' => $confirmAnyHour],
            timeout: $timeout,
        );
    }

    /**
     * Pause the broadcast. A message that is being sent still goes out.
     *
     * The key needs the scope `broadcasts:write`. A test key may use it for devices of a sandbox network and what
     * belongs to them.
     *
     * @param string $broadcastId
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function pauseBroadcast(string $broadcastId, ?float $timeout = null): array
    {
        return $this->call(
            new Route('POST', '/api/v1/broadcasts/{broadcast_id}/pause', 'refuse'),
            ids: ['broadcast_id' => $broadcastId],
            timeout: $timeout,
        );
    }

    /**
     * Go on, or send again to those whose message failed or has an unknown outcome.
     *
     * The key needs the scope `broadcasts:write`. A test key may use it for devices of a sandbox network and what
     * belongs to them.
     *
     * @param string $broadcastId
     * @param 'pending'|'failed'|'unknown'|null $scope `pending` if left out: go on. `failed`, `unknown`: send again to
     *     those whose message ended so. After `unknown`, a person may get it twice.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function resumeBroadcast(string $broadcastId, ?string $scope = null, ?float $timeout = null): array
    {
        return $this->call(
            new Route('POST', '/api/v1/broadcasts/{broadcast_id}/resume', 'refuse'),
            ids: ['broadcast_id' => $broadcastId],
            body: ['scope' => $scope],
            timeout: $timeout,
        );
    }

    /**
     * End the broadcast. Messages that wait are cancelled, and the quota comes back.
     *
     * The key needs the scope `broadcasts:write`. A test key may use it for devices of a sandbox network and what
     * belongs to them.
     *
     * @param string $broadcastId
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function cancelBroadcast(string $broadcastId, ?float $timeout = null): array
    {
        return $this->call(
            new Route('POST', '/api/v1/broadcasts/{broadcast_id}/cancel', 'refuse'),
            ids: ['broadcast_id' => $broadcastId],
            timeout: $timeout,
        );
    }

    /**
     * Change the name, the devices, the pace or the hours, also while it runs. A field that you leave out stays as it
     * is.
     *
     * The key needs the scope `broadcasts:write`. A test key may use it for devices of a sandbox network and what
     * belongs to them.
     *
     * @param string $broadcastId
     * @param string|null $name
     * @param list<string>|null $deviceIds The devices that send it. A person stays with the device that knows the
     *     person.
     * @param int|LeftOut|null $pacePerMinute At most so many messages a minute, over all devices. Null: the devices
     *     have their own pace.
     * @param array<string, mixed>|LeftOut|null $window The hours of the recipient, or of the account, in which messages
     *     go out. Left out: 08:00 to 21:00 of the recipient for marketing, any hour for the rest. Null: any hour.
     *     Marketing in other hours than the usual ones must be confirmed with `confirm_any_hour`: see the start.
     * @param int|LeftOut|null $maxPerPersonADay A person who got so many marketing messages of the account within 24
     *     hours is skipped. 1 if left out. Null: nobody is skipped.
     * @param array<string, mixed>|null $guards The broadcast pauses if so many of the last 50 messages of a device
     *     failed, or so many of their recipients opted out. 20 and 3 if left out. Null: never.
     * @param bool|null $confirmAnyHour As at the start. Only a window for marketing that was started needs it.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function updateBroadcast(
        string $broadcastId,
        ?string $name = null,
        ?array $deviceIds = null,
        int|LeftOut|null $pacePerMinute = LeftOut::Yes,
        array|LeftOut|null $window = LeftOut::Yes,
        int|LeftOut|null $maxPerPersonADay = LeftOut::Yes,
        ?array $guards = null,
        ?bool $confirmAnyHour = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route(
                'PATCH',
                '/api/v1/broadcasts/{broadcast_id}',
                'refuse',
                nullable: ['pace_per_minute', 'window', 'max_per_person_a_day'],
            ),
            ids: ['broadcast_id' => $broadcastId],
            body: [
                'name' => $name,
                'device_ids' => $deviceIds,
                'pace_per_minute' => $pacePerMinute,
                'window' => $window,
                'max_per_person_a_day' => $maxPerPersonADay,
                'guards' => $guards,
                'confirm_any_hour' => $confirmAnyHour,
            ],
            timeout: $timeout,
        );
    }

    /**
     * Look up a broadcast with its counts, its rate and the time at which it will end.
     *
     * The key needs the scope `broadcasts:read`. A test key may use it for devices of a sandbox network and what
     * belongs to them.
     *
     * @param string $broadcastId
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function getBroadcast(string $broadcastId, ?float $timeout = null): array
    {
        return $this->call(
            new Route('GET', '/api/v1/broadcasts/{broadcast_id}', 'harmless'),
            ids: ['broadcast_id' => $broadcastId],
            timeout: $timeout,
        );
    }

    /**
     * Send the text to one number, as a message of its own. The broadcast and its counts stay as they are.
     *
     * The key needs the scope `broadcasts:write`. A test key may use it for devices of a sandbox network and what
     * belongs to them.
     *
     * @param string $broadcastId
     * @param string $phone The number as people write it, such as 0812 3456 7890 or +62 812 3456 7890. A number that
     *     begins with 0 belongs to the country of the account. Digits alone have a country code. Kurir stores digits
     *     with the country code.
     * @param array<string, mixed>|null $values The values for the text, by name. If left out, those of the first
     *     recipient who gets a message.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function testBroadcast(
        string $broadcastId,
        string $phone,
        ?array $values = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('POST', '/api/v1/broadcasts/{broadcast_id}/test', 'refuse'),
            ids: ['broadcast_id' => $broadcastId],
            body: ['phone' => $phone, 'values' => $values],
            timeout: $timeout,
        );
    }

    /**
     * Download the outcome of each recipient in the order of the list, as CSV or NDJSON. The answer is a file.
     *
     * The key needs the scope `broadcasts:read`. A test key may use it for devices of a sandbox network and what
     * belongs to them.
     *
     * @param string $broadcastId
     * @param 'csv'|'ndjson'|null $format `csv` if left out.
     * @param string|null $timeZone The time zone of the times in the CSV file, such as Asia/Jakarta. UTC if left out.
     * @param 'en'|'id'|null $language Given: a CSV file for people, with headers, statuses and reasons in this
     *     language. Left out: one for programs, with words of the api.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return string The text of the file.
     */
    public function exportBroadcastResults(
        string $broadcastId,
        ?string $format = null,
        ?string $timeZone = null,
        ?string $language = null,
        ?float $timeout = null,
    ): string {
        return $this->download(
            new Route('GET', '/api/v1/broadcasts/{broadcast_id}/results.csv', 'harmless'),
            ids: ['broadcast_id' => $broadcastId],
            query: ['format' => $format, 'time_zone' => $timeZone, 'language' => $language],
            timeout: $timeout,
        );
    }

    /**
     * Create a contact, or change the one that has this phone number. A field that you leave out stays as it is.
     *
     * The key needs the scope `contacts:write`. It needs a live key.
     *
     * @param string $phone A phone number as people write it. Without a country code it is one of the country of the
     *     account.
     * @param string|LeftOut|null $name
     * @param string|LeftOut|null $locale
     * @param string|LeftOut|null $timeZone
     * @param array<string, mixed>|null $attributes Attributes that are not named stay. Null removes one.
     * @param list<string>|null $lists All lists that the contact is in from now on.
     * @param array<string, mixed>|LeftOut|null $consent
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function saveContact(
        string $phone,
        string|LeftOut|null $name = LeftOut::Yes,
        string|LeftOut|null $locale = LeftOut::Yes,
        string|LeftOut|null $timeZone = LeftOut::Yes,
        ?array $attributes = null,
        ?array $lists = null,
        array|LeftOut|null $consent = LeftOut::Yes,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('POST', '/api/v1/contacts', 'refuse', nullable: ['name', 'locale', 'time_zone', 'consent']),
            body: [
                'phone' => $phone,
                'name' => $name,
                'locale' => $locale,
                'time_zone' => $timeZone,
                'attributes' => $attributes,
                'lists' => $lists,
                'consent' => $consent,
            ],
            timeout: $timeout,
        );
    }

    /**
     * List contacts, newest first or by name.
     *
     * The key needs the scope `contacts:read`. It needs a live key.
     *
     * @param string|null $list Only contacts in this list.
     * @param string|null $phone A phone number as people write it. Without a country code it is one of the country of
     *     the account.
     * @param string|null $attribute A key, a colon and the value.
     * @param string|null $locale The language of the contact.
     * @param bool|null $hasConsent
     * @param string|null $q A part of the name or of the number.
     * @param 'newest'|'name'|null $sort `newest` if left out. `name`: by name, and those without one last.
     * @param int|null $limit How many items a page has at most.
     * @param string|null $cursor The `next_cursor` of the page before. Left out: begin with the first page.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function listContacts(
        ?string $list = null,
        ?string $phone = null,
        ?string $attribute = null,
        ?string $locale = null,
        ?bool $hasConsent = null,
        ?string $q = null,
        ?string $sort = null,
        ?int $limit = null,
        ?string $cursor = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('GET', '/api/v1/contacts', 'harmless'),
            query: [
                'list' => $list,
                'phone' => $phone,
                'attribute' => $attribute,
                'locale' => $locale,
                'has_consent' => $hasConsent,
                'q' => $q,
                'sort' => $sort,
                'limit' => $limit,
                'cursor' => $cursor,
            ],
            timeout: $timeout,
        );
    }

    /**
     * Iterates over the items of listContacts, page by page.
     *
     * @return Generator<int, array<string, mixed>>
     */
    public function iterContacts(
        ?string $list = null,
        ?string $phone = null,
        ?string $attribute = null,
        ?string $locale = null,
        ?bool $hasConsent = null,
        ?string $q = null,
        ?string $sort = null,
        ?int $limit = null,
        ?string $cursor = null,
        ?float $timeout = null,
    ): Generator {
        return $this->pages(
            'contacts',
            fn (?string $next): array => $this->listContacts(
                $list,
                $phone,
                $attribute,
                $locale,
                $hasConsent,
                $q,
                $sort,
                $limit,
                $next,
                $timeout,
            ),
            $cursor,
        );
    }

    /**
     * Export contacts as CSV or NDJSON, newest first. The answer is a file.
     *
     * The key needs the scope `contacts:read`. It needs a live key.
     *
     * @param string|null $list Only contacts in this list.
     * @param string|null $phone A phone number as people write it. Without a country code it is one of the country of
     *     the account.
     * @param string|null $attribute A key, a colon and the value.
     * @param string|null $locale The language of the contact.
     * @param bool|null $hasConsent
     * @param string|null $q A part of the name or of the number.
     * @param 'csv'|'ndjson'|null $format
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return string The text of the file.
     */
    public function exportContacts(
        ?string $list = null,
        ?string $phone = null,
        ?string $attribute = null,
        ?string $locale = null,
        ?bool $hasConsent = null,
        ?string $q = null,
        ?string $format = null,
        ?float $timeout = null,
    ): string {
        return $this->download(
            new Route('GET', '/api/v1/contacts/export', 'harmless'),
            query: [
                'list' => $list,
                'phone' => $phone,
                'attribute' => $attribute,
                'locale' => $locale,
                'has_consent' => $hasConsent,
                'q' => $q,
                'format' => $format,
            ],
            timeout: $timeout,
        );
    }

    /**
     * List the names of lists, with how many contacts each has.
     *
     * The key needs the scope `contacts:read`. It needs a live key.
     *
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function listContactLists(?float $timeout = null): array
    {
        return $this->call(new Route('GET', '/api/v1/contacts/lists', 'harmless'), timeout: $timeout);
    }

    /**
     * Add up to 10,000 contacts that match a filter to lists, or remove them from lists.
     *
     * The key needs the scope `contacts:write`. It needs a live key.
     *
     * @param array<string, mixed> $filter An empty filter means all contacts.
     * @param list<string>|null $add
     * @param list<string>|null $remove
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function changeContactLists(
        array $filter,
        ?array $add = null,
        ?array $remove = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('POST', '/api/v1/contacts/lists', 'refuse'),
            body: ['filter' => $filter, 'add' => $add, 'remove' => $remove],
            timeout: $timeout,
        );
    }

    /**
     * Say of up to 50 numbers whether they have an account on the network, from the traffic of your devices. Kurir does
     * not ask the network.
     *
     * The key needs the scope `contacts:read`. It needs a live key.
     *
     * @param list<string> $phones 1 to 50 numbers, as people write them.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function checkContacts(array $phones, ?float $timeout = null): array
    {
        return $this->call(
            new Route('POST', '/api/v1/contacts/check', 'harmless'),
            body: ['phones' => $phones],
            timeout: $timeout,
        );
    }

    /**
     * Look up a contact.
     *
     * The key needs the scope `contacts:read`. It needs a live key.
     *
     * @param string $contactId
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function getContact(string $contactId, ?float $timeout = null): array
    {
        return $this->call(
            new Route('GET', '/api/v1/contacts/{contact_id}', 'harmless'),
            ids: ['contact_id' => $contactId],
            timeout: $timeout,
        );
    }

    /**
     * Change a contact. A field that you leave out stays as it is.
     *
     * The key needs the scope `contacts:write`. It needs a live key.
     *
     * @param string $contactId
     * @param string|LeftOut|null $name
     * @param string|LeftOut|null $locale
     * @param string|LeftOut|null $timeZone
     * @param array<string, mixed>|null $attributes Attributes that are not named stay. Null removes one.
     * @param list<string>|null $lists All lists that the contact is in from now on.
     * @param array<string, mixed>|LeftOut|null $consent
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function updateContact(
        string $contactId,
        string|LeftOut|null $name = LeftOut::Yes,
        string|LeftOut|null $locale = LeftOut::Yes,
        string|LeftOut|null $timeZone = LeftOut::Yes,
        ?array $attributes = null,
        ?array $lists = null,
        array|LeftOut|null $consent = LeftOut::Yes,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route(
                'PATCH',
                '/api/v1/contacts/{contact_id}',
                'refuse',
                nullable: ['name', 'locale', 'time_zone', 'consent'],
            ),
            ids: ['contact_id' => $contactId],
            body: [
                'name' => $name,
                'locale' => $locale,
                'time_zone' => $timeZone,
                'attributes' => $attributes,
                'lists' => $lists,
                'consent' => $consent,
            ],
            timeout: $timeout,
        );
    }

    /**
     * Delete a contact. Messages and conversations with the person stay.
     *
     * The key needs the scope `contacts:write`. It needs a live key.
     *
     * @param string $contactId
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function deleteContact(string $contactId, ?float $timeout = null): array
    {
        return $this->call(
            new Route('DELETE', '/api/v1/contacts/{contact_id}', 'refuse'),
            ids: ['contact_id' => $contactId],
            timeout: $timeout,
        );
    }

    /**
     * Begin to send a file of rows: CSV with commas, semicolons or tabs, or NDJSON. Then send its parts.
     *
     * The key needs the scope `contacts:write`. It needs a live key.
     *
     * @param int $bytes The size of the whole file.
     * @param string|null $fileName
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function createUpload(int $bytes, ?string $fileName = null, ?float $timeout = null): array
    {
        return $this->call(
            new Route('POST', '/api/v1/uploads', 'refuse'),
            body: ['bytes' => $bytes, 'file_name' => $fileName],
            timeout: $timeout,
        );
    }

    /**
     * Send a part of the file. Parts may come in any order. The same part twice is one part.
     *
     * The key needs the scope `contacts:write`. It needs a live key.
     *
     * @param string $uploadId
     * @param int $number The place of the part, from 1.
     * @param string $data The bytes of the part as base64.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function addUploadPart(string $uploadId, int $number, string $data, ?float $timeout = null): array
    {
        return $this->call(
            new Route('POST', '/api/v1/uploads/{upload_id}/parts', 'harmless'),
            ids: ['upload_id' => $uploadId],
            body: ['number' => $number, 'data' => $data],
            timeout: $timeout,
        );
    }

    /**
     * Look up an upload. From its first part on, the answer shows the form, the columns and the first rows.
     *
     * The key needs the scope `contacts:write`. It needs a live key.
     *
     * @param string $uploadId
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function getUpload(string $uploadId, ?float $timeout = null): array
    {
        return $this->call(
            new Route('GET', '/api/v1/uploads/{upload_id}', 'harmless'),
            ids: ['upload_id' => $uploadId],
            timeout: $timeout,
        );
    }

    /**
     * Import contacts from an upload. A worker does it. An upload is imported once; a repeat returns that import.
     *
     * The key needs the scope `contacts:write`. It needs a live key.
     *
     * @param string $uploadId
     * @param array<string, mixed> $mapping
     * @param list<string>|null $lists The lists that all contacts of the file are added to.
     * @param array<string, mixed>|null $consent The consent of all people in the file.
     * @param 'update'|'keep'|null $onExisting `update` (default): the filled cells change a contact that is there
     *     already. `keep`: it stays as it is. Both add it to the lists.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function createContactImport(
        string $uploadId,
        array $mapping,
        ?array $lists = null,
        ?array $consent = null,
        ?string $onExisting = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('POST', '/api/v1/contacts/imports', 'refuse'),
            body: [
                'upload_id' => $uploadId,
                'mapping' => $mapping,
                'lists' => $lists,
                'consent' => $consent,
                'on_existing' => $onExisting,
            ],
            timeout: $timeout,
        );
    }

    /**
     * Look up an import: its progress, its counts and why rows were refused.
     *
     * The key needs the scope `contacts:read`. It needs a live key.
     *
     * @param string $importId
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function getContactImport(string $importId, ?float $timeout = null): array
    {
        return $this->call(
            new Route('GET', '/api/v1/contacts/imports/{import_id}', 'harmless'),
            ids: ['import_id' => $importId],
            timeout: $timeout,
        );
    }

    /**
     * Stop an import. Contacts that it has added or changed stay.
     *
     * The key needs the scope `contacts:write`. It needs a live key.
     *
     * @param string $importId
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function cancelContactImport(string $importId, ?float $timeout = null): array
    {
        return $this->call(
            new Route('POST', '/api/v1/contacts/imports/{import_id}/cancel', 'refuse'),
            ids: ['import_id' => $importId],
            timeout: $timeout,
        );
    }

    /**
     * List the rows that an import refused, in the order of the file, with advice.
     *
     * The key needs the scope `contacts:read`. It needs a live key.
     *
     * @param string $importId
     * @param int|null $limit How many items a page has at most.
     * @param string|null $cursor The `next_cursor` of the page before. Left out: begin with the first page.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function listRefusedRows(
        string $importId,
        ?int $limit = null,
        ?string $cursor = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('GET', '/api/v1/contacts/imports/{import_id}/refused', 'harmless'),
            ids: ['import_id' => $importId],
            query: ['limit' => $limit, 'cursor' => $cursor],
            timeout: $timeout,
        );
    }

    /**
     * Iterates over the items of listRefusedRows, page by page.
     *
     * @return Generator<int, array<string, mixed>>
     */
    public function iterRefusedRows(
        string $importId,
        ?int $limit = null,
        ?string $cursor = null,
        ?float $timeout = null,
    ): Generator {
        return $this->pages(
            'refused',
            fn (?string $next): array => $this->listRefusedRows($importId, $limit, $next, $timeout),
            $cursor,
        );
    }

    /**
     * Download the rows that an import refused, as CSV with the separator and the columns of the file, and a last
     * column with the reason.
     *
     * The key needs the scope `contacts:read`. It needs a live key.
     *
     * @param string $importId
     * @param 'en'|'id'|null $language The language of the reasons. `en` if left out.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return string The text of the file.
     */
    public function exportRefusedRows(string $importId, ?string $language = null, ?float $timeout = null): string
    {
        return $this->download(
            new Route('GET', '/api/v1/contacts/imports/{import_id}/refused.csv', 'harmless'),
            ids: ['import_id' => $importId],
            query: ['language' => $language],
            timeout: $timeout,
        );
    }

    /**
     * Read who did what to the account, newest first.
     *
     * The key needs the scope `audit:read`. It needs a live key.
     *
     * @param
     *     'sign_in'|'account'|'members'|'money'|'keys'|'devices'|'messages'|'contacts'|'broadcasts'|'templates'|'webhooks'|'gateway'|null
     *     $group Only actions of this part of the product.
     * @param string|null $actor Only actions of this person or key.
     * @param string|null $subject Only actions on the thing with this id.
     * @param DateTimeInterface|string|null $since Only actions at this time or later.
     * @param DateTimeInterface|string|null $until Only actions before this time.
     * @param int|null $limit How many items a page has at most.
     * @param string|null $cursor The `next_cursor` of the page before. Left out: begin with the first page.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function listAudit(
        ?string $group = null,
        ?string $actor = null,
        ?string $subject = null,
        DateTimeInterface|string|null $since = null,
        DateTimeInterface|string|null $until = null,
        ?int $limit = null,
        ?string $cursor = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('GET', '/api/v1/audit', 'harmless'),
            query: [
                'group' => $group,
                'actor' => $actor,
                'subject' => $subject,
                'since' => $since,
                'until' => $until,
                'limit' => $limit,
                'cursor' => $cursor,
            ],
            timeout: $timeout,
        );
    }

    /**
     * Iterates over the items of listAudit, page by page.
     *
     * @return Generator<int, array<string, mixed>>
     */
    public function iterAudit(
        ?string $group = null,
        ?string $actor = null,
        ?string $subject = null,
        DateTimeInterface|string|null $since = null,
        DateTimeInterface|string|null $until = null,
        ?int $limit = null,
        ?string $cursor = null,
        ?float $timeout = null,
    ): Generator {
        return $this->pages(
            'entries',
            fn (?string $next): array => $this->listAudit(
                $group,
                $actor,
                $subject,
                $since,
                $until,
                $limit,
                $next,
                $timeout,
            ),
            $cursor,
        );
    }

    /**
     * Export the entries of the audit log that match a filter as CSV, newest first, up to 100,000. The answer is a
     * file.
     *
     * The key needs the scope `audit:read`. It needs a live key.
     *
     * @param
     *     'sign_in'|'account'|'members'|'money'|'keys'|'devices'|'messages'|'contacts'|'broadcasts'|'templates'|'webhooks'|'gateway'|null
     *     $group Only actions of this part of the product.
     * @param string|null $actor Only actions of this person or key.
     * @param string|null $subject Only actions on the thing with this id.
     * @param DateTimeInterface|string|null $since Only actions at this time or later.
     * @param DateTimeInterface|string|null $until Only actions before this time.
     * @param string|null $timeZone The time zone of the times in the file, such as Asia/Jakarta. UTC if left out.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return string The text of the file.
     */
    public function exportAudit(
        ?string $group = null,
        ?string $actor = null,
        ?string $subject = null,
        DateTimeInterface|string|null $since = null,
        DateTimeInterface|string|null $until = null,
        ?string $timeZone = null,
        ?float $timeout = null,
    ): string {
        return $this->download(
            new Route('GET', '/api/v1/audit/export', 'harmless'),
            query: [
                'group' => $group,
                'actor' => $actor,
                'subject' => $subject,
                'since' => $since,
                'until' => $until,
                'time_zone' => $timeZone,
            ],
            timeout: $timeout,
        );
    }

    /**
     * List the requests of the account's keys in the last 7 days, newest first. They appear within seconds. A page may
     * be empty although older requests follow.
     *
     * The key needs the scope `requests:read`. It needs a live key.
     *
     * @param string|null $apiKey Only requests of this key.
     * @param '2xx'|'4xx'|'5xx'|'aborted'|null $outcome Only requests with this kind of status. `aborted`: the caller
     *     went away before the answer.
     * @param string|null $operation Only requests of this operation.
     * @param
     *     'MALFORMED_REQUEST'|'MISSING_CREDENTIALS'|'INVALID_API_KEY'|'INVALID_SIGNATURE'|'TIMESTAMP_OUT_OF_RANGE'|'SESSION_REQUIRED'|'PLAN_EXPIRED'|'QUOTA_EXHAUSTED'|'KEY_NOT_ALLOWED'|'ACCOUNT_SUSPENDED'|'ROLE_NOT_ALLOWED'|'CONFIRMATION_REQUIRED'|'CROSS_SITE_REQUEST'|'NOT_FOUND'|'DEVICE_NOT_FOUND'|'JOB_NOT_FOUND'|'CONVERSATION_NOT_FOUND'|'CONTACT_NOT_FOUND'|'UPLOAD_NOT_FOUND'|'IMPORT_NOT_FOUND'|'NO_PLAN_CHOSEN'|'ACCOUNT_NOT_FOUND'|'KEY_NOT_FOUND'|'PLAN_NOT_FOUND'|'RENEWAL_NOT_FOUND'|'MEMBER_NOT_FOUND'|'INVITATION_NOT_FOUND'|'EMAIL_CHANGE_NOT_FOUND'|'WEBHOOK_NOT_FOUND'|'EVENT_NOT_FOUND'|'BROADCAST_NOT_FOUND'|'TEMPLATE_NOT_FOUND'|'METHOD_NOT_ALLOWED'|'DEVICE_NOT_CONNECTED'|'DEVICE_LIMIT_REACHED'|'WEBHOOK_LIMIT_REACHED'|'WEBHOOK_DISABLED'|'TEMPLATE_NAME_TAKEN'|'TEMPLATE_CHANGED'|'UPLOAD_LIMIT_REACHED'|'UPLOAD_NOT_READY'|'IMPORT_LIMIT_REACHED'|'IMPORT_ENDED'|'KEY_LIMIT_REACHED'|'DEVICE_ALREADY_LINKED'|'DEVICE_NOT_LINKED'|'DEVICE_NOT_PAIRING'|'DEVICE_IN_USE'|'BROADCAST_STATE'|'REPLAYED_REQUEST'|'JOB_NOT_CANCELLABLE'|'JOB_NOT_RETRYABLE'|'NOT_IN_SANDBOX'|'ALREADY_MEMBER'|'ALREADY_OWNER'|'LAST_OWNER'|'PLAN_NAME_TAKEN'|'TWO_FACTOR_OFF'|'CURSOR_EXPIRED'|'PAYLOAD_TOO_LARGE'|'UNSUPPORTED_MEDIA_TYPE'|'MISDIRECTED_REQUEST'|'INVALID_REQUEST'|'WEBHOOK_URL_NOT_ALLOWED'|'RECIPIENT_SUPPRESSED'|'EXPIRES_IN_QUIET_HOURS'|'INVALID_PHONE_NUMBER'|'UPLOAD_NOT_READABLE'|'INVALID_PAYMENT_METHOD'|'IDEMPOTENCY_KEY_REUSED'|'CODE_NOT_ACCEPTED'|'PASSKEY_NOT_ACCEPTED'|'PASSWORD_NOT_ACCEPTED'|'RATE_LIMITED'|'HEADERS_TOO_LARGE'|'INTERNAL_ERROR'|'PAYMENT_METHOD_UNAVAILABLE'|'PAYMENT_PROVIDER_ERROR'|'SERVICE_UNAVAILABLE'|'DEVICE_TIMEOUT'|null
     *     $code Only requests that were refused with this code.
     * @param string|null $requestId Only the request with this id.
     * @param int|null $limit How many items a page has at most.
     * @param string|null $cursor The `next_cursor` of the page before. Left out: begin with the first page.
     * @param float|null $timeout How long each try may take, in seconds. The default is that of the client.
     * @return array<string, mixed>
     */
    public function listRequests(
        ?string $apiKey = null,
        ?string $outcome = null,
        ?string $operation = null,
        ?string $code = null,
        ?string $requestId = null,
        ?int $limit = null,
        ?string $cursor = null,
        ?float $timeout = null,
    ): array {
        return $this->call(
            new Route('GET', '/api/v1/requests', 'harmless'),
            query: [
                'api_key' => $apiKey,
                'outcome' => $outcome,
                'operation' => $operation,
                'code' => $code,
                'request_id' => $requestId,
                'limit' => $limit,
                'cursor' => $cursor,
            ],
            timeout: $timeout,
        );
    }

    /**
     * Iterates over the items of listRequests, page by page.
     *
     * @return Generator<int, array<string, mixed>>
     */
    public function iterRequests(
        ?string $apiKey = null,
        ?string $outcome = null,
        ?string $operation = null,
        ?string $code = null,
        ?string $requestId = null,
        ?int $limit = null,
        ?string $cursor = null,
        ?float $timeout = null,
    ): Generator {
        return $this->pages(
            'requests',
            fn (?string $next): array => $this->listRequests(
                $apiKey,
                $outcome,
                $operation,
                $code,
                $requestId,
                $limit,
                $next,
                $timeout,
            ),
            $cursor,
        );
    }
}
