<?php

declare(strict_types=1);

namespace Kurir;

use Closure;
use Generator;
use InvalidArgumentException;
use SensitiveParameter;

/**
 * The settings of a client, and the way of a call. The generated operations stand on it.
 *
 * A send repeats the signature of its first try, and the gateway then gives its first answer. Shortly before that
 * signature expires, the send is signed again. Its client_ref then keeps it single. Any other call is signed again for
 * each try.
 */
abstract class Calls
{
    /** The gateway accepts a signature for 300 s. A repeat must arrive before that. */
    private const REUSE_SIGNATURE_MS = 270_000;

    private readonly string $origin;
    private readonly string $basePath;
    private float $offsetMs = 0.0;
    private int $lastMs = 0;
    /** Seconds since 1970. The calls of waitForJob end then. */
    protected ?float $deadline = null;

    /**
     * @param string $baseUrl The address of the gateway, such as https://gateway.example.com.
     * @param string|null $deviceId The device that sends, unless a call names another one.
     * @param float $timeout How long each try may take, in seconds.
     * @param int $maxRetries How many times a call is tried again, if that is safe.
     * @throws InvalidArgumentException The address is not plain http(s), or the key is empty.
     */
    public function __construct(
        string $baseUrl,
        private readonly string $apiKey,
        #[SensitiveParameter] private readonly string $apiSecret,
        private readonly ?string $deviceId = null,
        protected readonly float $timeout = 30.0,
        private readonly int $maxRetries = 3,
    ) {
        if ($apiKey === '' || $apiSecret === '') {
            throw new InvalidArgumentException('apiKey and apiSecret must not be empty.');
        }
        if (preg_match('~\A(https?://[^/?#@\s]+)(/[^?#\s]*)?\z~', $baseUrl, $parts) !== 1) {
            $sentence = 'The base URL must be like https://gateway.example.com, without a query.';
            throw new InvalidArgumentException($sentence);
        }
        $this->origin = $parts[1];
        $this->basePath = rtrim($parts[2] ?? '', '/');
    }

    /**
     * @param array<string, string> $ids
     * @param array<string, mixed> $query
     * @param array<string, mixed>|null $body
     * @return array<string, mixed> The `data` of the gateway's answer.
     */
    protected function call(
        Route $route,
        array $ids = [],
        array $query = [],
        ?array $body = null,
        ?string $deviceId = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): array {
        $request = $this->request($route, $ids, $query, $body, $deviceId, $idempotencyKey);
        return $this->tryAgain(
            $request,
            $timeout,
            static fn (HttpTry $try, array $headers): array => $try->answer($request, $headers),
        );
    }

    /**
     * @param array<string, string> $ids
     * @param array<string, mixed> $query
     * @return string The text of a file.
     */
    protected function download(Route $route, array $ids = [], array $query = [], ?float $timeout = null): string
    {
        $request = $this->request($route, $ids, $query, null, null, null);
        return $this->tryAgain(
            $request,
            $timeout,
            static fn (HttpTry $try, array $headers): string => $try->file($request, $headers),
        );
    }

    /**
     * @param Closure(string|null): array<string, mixed> $listPage
     * @return Generator<int, array<string, mixed>>
     */
    protected function pages(string $items, Closure $listPage, ?string $cursor): Generator
    {
        do {
            $page = $listPage($cursor);
            foreach ($page[$items] as $item) {
                yield $item;
            }
            $cursor = $page['next_cursor'];
        } while ($cursor !== null);
    }

    protected function now(): float
    {
        return microtime(true);
    }

    protected function sleep(float $seconds): void
    {
        usleep((int) round($seconds * 1_000_000));
    }

    protected function random(): float
    {
        return random_int(0, 1_000_000) / 1_000_000;
    }

    /**
     * @param array<string, string> $ids
     * @param array<string, mixed> $query
     * @param array<string, mixed>|null $body
     */
    private function request(
        Route $route,
        array $ids,
        array $query,
        ?array $body,
        ?string $deviceId,
        ?string $idempotencyKey,
    ): Request {
        $device = $route->needsDevice ? trim($deviceId ?? $this->deviceId ?? '') : '';
        if ($route->needsDevice && $device === '') {
            throw new InvalidArgumentException("$route->path needs the id of a device: give deviceId.");
        }
        return new Request(
            $route->method,
            $this->basePath . Request::path($route->path, $ids) . Request::query($query),
            $body === null ? null : Request::body($route, $body),
            $device === '' ? null : $device,
            $idempotencyKey === null ? null : trim($idempotencyKey),
            $route->repeat,
        );
    }

    /**
     * @template Answer
     * @param Closure(HttpTry, list<string>): Answer $read
     * @return Answer
     */
    private function tryAgain(Request $request, ?float $timeout, Closure $read): mixed
    {
        $signedAtMs = $this->signingTime($request);
        $isCorrected = false;
        for ($retries = 0; ; ) {
            try {
                return $this->tryOnce($request, $signedAtMs, $timeout ?? $this->timeout, $read);
            } catch (KurirError $error) {
                $isLate = $error->errorCode === 'TIMESTAMP_OUT_OF_RANGE' && $error->gatewayNow !== null;
                if ($isLate && !$isCorrected) {
                    $isCorrected = true;
                    $this->offsetMs = ($error->gatewayNow - $this->now()) * 1000;
                    $this->lastMs = 0;
                    $signedAtMs = $this->signingTime($request);
                    continue;
                }
                $delay = Retries::delay($error, $request->repeat, $retries, $this->random());
                $isTooLate = $this->deadline !== null && $this->now() + ($delay ?? 0) > $this->deadline;
                if ($delay === null || $isTooLate || $retries >= $this->maxRetries) {
                    throw $error;
                }
            }
            $retries++;
            $this->sleep($delay);
            $ageMs = $this->gatewayMs() - $signedAtMs;
            if ($request->repeat !== 'first-answer' || $ageMs < 0 || $ageMs >= self::REUSE_SIGNATURE_MS) {
                $signedAtMs = $this->signingTime($request);
            }
        }
    }

    private function tryOnce(Request $request, int $signedAtMs, float $timeout, Closure $read): mixed
    {
        // The last try may start at the deadline.
        $left = $this->deadline === null ? $timeout : max($this->deadline - $this->now(), 1.0);
        $try = new HttpTry($this->origin, min($timeout, $left));
        return $read($try, $request->headers((string) $signedAtMs, $this->apiKey, $this->apiSecret));
    }

    private function gatewayMs(): int
    {
        return (int) round($this->now() * 1000 + $this->offsetMs);
    }

    /** No two calls share a time if the gateway refuses a second use of a signature. */
    private function signingTime(Request $request): int
    {
        if ($request->repeat !== 'refuse') {
            return $this->gatewayMs();
        }
        $this->lastMs = max($this->lastMs + 1, $this->gatewayMs());
        return $this->lastMs;
    }
}
