<?php

declare(strict_types=1);

namespace Kurir;

use DateTimeInterface;
use InvalidArgumentException;

/** The bytes of a request, before they are signed. All tries use the same ones. */
final class Request
{
    /** @param string $target Path and query, exactly as they are sent. */
    public function __construct(
        public readonly string $method,
        public readonly string $target,
        public readonly ?string $body,
        public readonly ?string $deviceId,
        public readonly ?string $idempotencyKey,
        public readonly string $repeat,
    ) {
    }

    /** Returns the signature of scheme 2, in lower-case hex. */
    public function sign(string $timestamp, string $secret): string
    {
        $parts = [
            'v2',
            $this->method,
            $this->target,
            $timestamp,
            $this->deviceId ?? '',
            hash('sha256', $this->idempotencyKey ?? ''),
            hash('sha256', $this->body ?? ''),
        ];
        return hash_hmac('sha256', implode(':', $parts), $secret);
    }

    /** @return list<string> */
    public function headers(string $timestamp, string $apiKey, string $secret): array
    {
        $headers = [
            'Accept' => 'application/json',
            'Content-Type' => $this->body === null ? null : 'application/json',
            'X-Device-Id' => $this->deviceId,
            'Idempotency-Key' => $this->idempotencyKey,
            'X-API-Key' => $apiKey,
            'X-Timestamp' => $timestamp,
            'X-Signature-Version' => '2',
            'X-Signature' => $this->sign($timestamp, $secret),
        ];
        $given = array_filter($headers, static fn (?string $value): bool => $value !== null);
        $line = static fn (string $name, string $value): string => "$name: $value";
        return array_map($line, array_keys($given), $given);
    }

    /** @param array<string, string> $ids */
    public static function path(string $template, array $ids): string
    {
        foreach ($ids as $name => $id) {
            if (preg_match('/\A[A-Za-z0-9_:-]+\z/', $id) !== 1) {
                $what = str_replace('_', ' ', $name);
                throw new InvalidArgumentException(json_encode($id) . " is not a $what.");
            }
            $template = str_replace('{' . $name . '}', $id, $template);
        }
        return $template;
    }

    /** @param array<string, mixed> $fields */
    public static function query(array $fields): string
    {
        $given = array_map(self::queryText(...), self::given($fields));
        return $given === [] ? '' : '?' . http_build_query($given);
    }

    /** @param array<string, mixed> $fields */
    public static function body(Route $route, array $fields): string
    {
        $given = self::given($fields, $route->nullable);
        if ($route->hasClientRef) {
            $given = isset($given['messages'])
                ? ['messages' => array_map(self::withClientRef(...), $given['messages'])] + $given
                : self::withClientRef($given);
        }
        $flags = JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_PRESERVE_ZERO_FRACTION;
        return json_encode((object) self::withTexts($given), $flags);
    }

    /**
     * @param array<string, mixed> $fields
     * @param list<string> $nullable
     * @return array<string, mixed>
     */
    private static function given(array $fields, array $nullable = []): array
    {
        $isGiven = static fn (mixed $value, string $name): bool =>
            $value !== LeftOut::Yes && ($value !== null || in_array($name, $nullable, true));
        return array_filter($fields, $isGiven, ARRAY_FILTER_USE_BOTH);
    }

    private static function queryText(mixed $value): string
    {
        return match (true) {
            is_bool($value) => $value ? 'true' : 'false',
            is_array($value) => implode(',', $value),
            $value instanceof DateTimeInterface => $value->format(DateTimeInterface::RFC3339_EXTENDED),
            default => (string) $value,
        };
    }

    /** Writes times as texts, at any depth. */
    private static function withTexts(mixed $value): mixed
    {
        if ($value instanceof DateTimeInterface) {
            return $value->format(DateTimeInterface::RFC3339_EXTENDED);
        }
        return is_array($value) ? array_map(self::withTexts(...), $value) : $value;
    }

    /**
     * Names a message or device that has no name, so that the gateway recognises a repeat.
     *
     * @param array<string, mixed> $fields
     * @return array<string, mixed>
     */
    private static function withClientRef(array $fields): array
    {
        return self::given($fields) + ['client_ref' => 'kc_' . bin2hex(random_bytes(16))];
    }
}
