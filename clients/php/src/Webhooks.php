<?php

declare(strict_types=1);

namespace Kurir;

use InvalidArgumentException;
use SensitiveParameter;

/** Proves that a webhook is from the gateway. Signatures follow https://www.standardwebhooks.com. */
final class Webhooks
{
    /** A webhook that is older or newer may be a replay. */
    private const TOLERANCE_SECONDS = 300;

    private const SENTENCES = [
        KurirError::WEBHOOK_MALFORMED => 'This is no webhook: it lacks webhook-id, webhook-timestamp or'
            . ' webhook-signature, or its body is no event. Answer 400.',
        KurirError::WEBHOOK_WRONG_SIGNATURE => 'The signature does not match. Check the secret, and give the body as it'
            . ' arrived, before anything parses it. Answer 401.',
        KurirError::WEBHOOK_TOO_OLD => 'The webhook was signed more than five minutes ago or ahead. Check the clock of'
            . ' this machine. Answer 401.',
    ];

    /**
     * Returns the event of a webhook that the gateway signed within the last five minutes. The gateway repeats events,
     * so handle each `id` once.
     *
     * @param string $payload The body as it arrived, before anything parses it: file_get_contents('php://input').
     * @param array<string, string|list<string>> $headers The headers of the request, such as those of getallheaders().
     * @param string|list<string> $secrets The whsec_… of the webhook, or several: any of them may have signed.
     * @param float|null $now The present time in seconds since 1970, for tests.
     * @return array<string, mixed>
     * @throws KurirError The webhook is not to be trusted: one of the WEBHOOK_… codes.
     * @throws InvalidArgumentException A secret is not one.
     */
    public static function verify(
        string $payload,
        array $headers,
        #[SensitiveParameter] string|array $secrets,
        ?float $now = null,
    ): array {
        $keys = array_map(self::key(...), (array) $secrets);
        if ($keys === []) {
            throw new InvalidArgumentException('Give the secret of the webhook.');
        }
        $given = array_change_key_case($headers, CASE_LOWER);
        $header = static fn (string $name): string => ((array) ($given[$name] ?? ''))[0] ?? '';
        [$id, $timestamp] = [$header('webhook-id'), $header('webhook-timestamp')];
        $signatures = explode(' ', $header('webhook-signature'));
        if ($id === '' || preg_match('/\A[0-9]{1,12}\z/', $timestamp) !== 1 || $signatures[0] === '') {
            throw self::untrusted(KurirError::WEBHOOK_MALFORMED);
        }
        if (!self::isSigned("$id.$timestamp.$payload", $keys, $signatures)) {
            throw self::untrusted(KurirError::WEBHOOK_WRONG_SIGNATURE);
        }
        if (abs(($now ?? microtime(true)) - (int) $timestamp) > self::TOLERANCE_SECONDS) {
            throw self::untrusted(KurirError::WEBHOOK_TOO_OLD);
        }
        $event = json_decode($payload, true);
        if (!is_array($event) || !isset($event['id'], $event['type'])) {
            throw self::untrusted(KurirError::WEBHOOK_MALFORMED);
        }
        return $event;
    }

    /**
     * @param list<string> $keys
     * @param list<string> $signatures
     */
    private static function isSigned(string $signed, array $keys, array $signatures): bool
    {
        foreach ($keys as $key) {
            $wanted = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
            foreach ($signatures as $signature) {
                if (hash_equals($wanted, $signature)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns the bytes of a secret. The error holds no part of it. */
    private static function key(#[SensitiveParameter] string $secret): string
    {
        $text = str_starts_with($secret, 'whsec_') ? substr($secret, strlen('whsec_')) : $secret;
        $key = base64_decode($text, true);
        if ($key === false || strlen($key) < 24 || strlen($key) > 64) {
            $sentence = 'A webhook secret is like whsec_…, exactly as the gateway showed it once.';
            throw new InvalidArgumentException($sentence);
        }
        return $key;
    }

    private static function untrusted(string $code): KurirError
    {
        return new KurirError($code, self::SENTENCES[$code]);
    }
}
