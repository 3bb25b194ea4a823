<?php

declare(strict_types=1);

namespace Kurir;

use JsonException;

/** One try over HTTP: sends the signed bytes, and returns the answer or throws a KurirError. */
final class HttpTry
{
    /** The failures of curl before any byte of the request has left: no address, no connection, no TLS. */
    private const BEFORE_SENDING = [
        CURLE_COULDNT_RESOLVE_HOST,
        CURLE_COULDNT_RESOLVE_PROXY,
        CURLE_COULDNT_CONNECT,
        CURLE_SSL_CONNECT_ERROR,
        CURLE_SSL_CACERT,
    ];

    /** @var array<string, string> */
    private array $headers = [];
    private int $status = 0;

    public function __construct(private readonly string $origin, private readonly float $timeout)
    {
    }

    /**
     * Returns the `data` of the answer.
     *
     * @param list<string> $headers
     * @return array<string, mixed>
     */
    public function answer(Request $request, array $headers): array
    {
        return $this->readAnswer($this->send($request, $headers));
    }

    /**
     * Returns the text of a file.
     *
     * @param list<string> $headers
     */
    public function file(Request $request, array $headers): string
    {
        $text = $this->send($request, $headers);
        if ($this->status === 200 && !str_starts_with($this->headers['content-type'] ?? '', 'application/json')) {
            return $text;
        }
        $this->readAnswer($text);
        throw $this->foreign();
    }

    /** @param list<string> $headers */
    private function send(Request $request, array $headers): string
    {
        $curl = curl_init();
        curl_setopt_array($curl, [
            CURLOPT_URL => $this->origin . $request->target,
            // Slashes and dots of the target are signed as they are.
            CURLOPT_PATH_AS_IS => true,
            CURLOPT_CUSTOMREQUEST => $request->method,
            CURLOPT_HTTPHEADER => [...$headers, 'Expect:'],
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_TIMEOUT_MS => max(1, (int) round($this->timeout * 1000)),
            CURLOPT_NOSIGNAL => true,
            CURLOPT_HEADERFUNCTION => $this->readHeader(...),
        ] + ($request->body === null ? [] : [CURLOPT_POSTFIELDS => $request->body]));
        $text = curl_exec($curl);
        if (!is_string($text)) {
            throw $this->noAnswer(curl_errno($curl), curl_error($curl), curl_getinfo($curl, CURLINFO_CONNECT_TIME));
        }
        $this->status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        return $text;
    }

    private function readHeader(mixed $_curl, string $line): int
    {
        [$name, $value] = explode(':', $line, 2) + [1 => ''];
        $this->headers[strtolower(trim($name))] = trim($value);
        return strlen($line);
    }

    /** @return array<string, mixed> */
    private function readAnswer(string $text): array
    {
        try {
            $envelope = json_decode($text, true, 512, JSON_THROW_ON_ERROR);
        } catch (JsonException) {
            // The text is not JSON, so it is not from the gateway.
            $envelope = null;
        }
        $parts = is_array($envelope) ? $envelope : [];
        $data = $parts['data'] ?? null;
        if ($this->status < 300 && ($parts['success'] ?? null) === true && is_array($data)) {
            return $data;
        }
        $code = $parts['code'] ?? null;
        $sentence = $parts['error'] ?? null;
        if (($parts['success'] ?? null) === false && is_string($code) && is_string($sentence)) {
            throw new KurirError(
                $code,
                $sentence,
                $this->status,
                $this->headers['x-request-id'] ?? null,
                $this->retryAfter(),
                gatewayNow: $this->date($this->headers['date'] ?? ''),
            );
        }
        throw $this->foreign();
    }

    private function noAnswer(int $code, string $reason, float $connectSeconds): KurirError
    {
        $isTimeout = $code === CURLE_OPERATION_TIMEDOUT;
        $mayHaveArrived = $isTimeout ? $connectSeconds > 0 : !in_array($code, self::BEFORE_SENDING, true);
        $what = $isTimeout ? "no answer within $this->timeout s" : rtrim($reason, '.');
        return new KurirError(KurirError::NO_ANSWER, "$this->origin: $what.", mayHaveArrived: $mayHaveArrived);
    }

    /** Returns the error for an answer that is not the gateway's, such as a proxy's page. */
    private function foreign(): KurirError
    {
        $redirects = $this->status >= 300 && $this->status < 400;
        $advice = $redirects ? 'it redirects; use the address it leads to' : "the answer is not the gateway's JSON";
        return new KurirError(
            KurirError::NO_ANSWER,
            "$this->origin answered $this->status: $advice.",
            $this->status,
            retryAfter: $this->retryAfter(),
            // After a redirect, a 4xx or a 429 the server has certainly done nothing.
            mayHaveArrived: $this->status < 300 || $this->status >= 500,
        );
    }

    /** The header holds seconds or an HTTP date. */
    private function retryAfter(): ?float
    {
        $text = $this->headers['retry-after'] ?? '';
        if (preg_match('/\A[0-9]+\z/', $text) === 1) {
            return (float) $text;
        }
        $at = $this->date($text);
        return $at === null ? null : max(0.0, $at - microtime(true));
    }

    private function date(string $text): ?float
    {
        $at = $text === '' ? false : strtotime($text);
        return $at === false ? null : (float) $at;
    }
}
