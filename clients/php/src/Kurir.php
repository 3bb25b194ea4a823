<?php

declare(strict_types=1);

namespace Kurir;

use InvalidArgumentException;

/** A client of one gateway and one key. Each operation of the API is a method. */
class Kurir extends Operations
{
    private const STEPS = ['sent', 'delivered', 'read'];
    private const ENDS = ['failed', 'expired', 'cancelled', 'unknown'];
    private const FIRST_INTERVAL_SECONDS = 0.2;
    private const MAX_INTERVAL_SECONDS = 5.0;
    private const WAIT_SECONDS = 25;
    /** After this long without an answer to a request that waits, the connection is broken. */
    private const PATIENCE_SECONDS = 10.0;

    /**
     * Returns a client with KURIR_BASE_URL, KURIR_API_KEY, KURIR_API_SECRET and KURIR_DEVICE_ID of the environment.
     *
     * @throws InvalidArgumentException One of the first three is missing.
     */
    public static function fromEnv(): self
    {
        $names = ['KURIR_BASE_URL', 'KURIR_API_KEY', 'KURIR_API_SECRET'];
        $missing = array_filter($names, static fn (string $name): bool => (string) getenv($name) === '');
        if ($missing !== []) {
            throw new InvalidArgumentException('Set ' . implode(', ', $missing) . '.');
        }
        [$baseUrl, $apiKey, $apiSecret] = array_map(getenv(...), $names);
        return new self($baseUrl, $apiKey, $apiSecret, getenv('KURIR_DEVICE_ID') ?: null);
    }

    /**
     * Looks a job up, at growing intervals, until it reaches a status, or ends as failed, expired, cancelled or
     * unknown.
     *
     * @param 'sent'|'delivered'|'read' $until The status to wait for.
     * @param float $timeout How long to wait at most, in seconds.
     * @return array<string, mixed> The job. Check its `status`.
     * @throws KurirError The time is over (WAIT_TIMEOUT, with lastJob), or the first look-up failed. Later outages do
     *     not end the wait.
     */
    public function waitForJob(string $jobId, string $until = 'delivered', float $timeout = 60.0): array
    {
        $step = array_search($until, self::STEPS, true);
        if ($step === false) {
            throw new InvalidArgumentException('until is sent, delivered or read.');
        }
        $wanted = [...array_slice(self::STEPS, $step), ...self::ENDS];
        $bounded = clone $this;
        $bounded->deadline = $this->now() + $timeout;
        $lastJob = null;
        for ($interval = self::FIRST_INTERVAL_SECONDS; ; $interval = min($interval * 1.5, self::MAX_INTERVAL_SECONDS)) {
            $cause = null;
            try {
                $lastJob = $bounded->getMessage($jobId);
                if (in_array($lastJob['status'], $wanted, true)) {
                    return $lastJob;
                }
            } catch (KurirError $error) {
                if (!$error->isPassing() || ($lastJob === null && $this->now() < $bounded->deadline)) {
                    throw $error;
                }
                $cause = $error;
            }
            $left = $bounded->deadline - $this->now();
            if ($left <= 0) {
                $seen = $lastJob === null ? 'it could not be looked up' : "it is {$lastJob['status']}";
                $message = "$jobId was not $until within $timeout s; $seen.";
                throw new KurirError(KurirError::WAIT_TIMEOUT, $message, lastJob: $lastJob, previous: $cause);
            }
            $this->sleep(min($interval, $left));
        }
    }

    /**
     * Returns the events of the account as something to iterate over. Store `$feed->cursor()` after you have handled an
     * event, and pass it as `after` to continue. After a crash the last page may come again, so compare each `id`.
     *
     * @param string|null $after The cursor to continue from. `earliest` begins with the oldest event. Null: begin now.
     * @param list<string>|null $types Only events of these types.
     * @param bool $follow Wait for new events for ever, also through outages. If false, the feed ends after the newest
     *     event, and an outage throws.
     */
    public function iterEvents(
        ?string $after = null,
        ?array $types = null,
        ?string $deviceId = null,
        bool $follow = true,
    ): EventFeed {
        $readPage = function (?string $cursor) use ($types, $deviceId, $follow): array {
            $wait = $follow && $cursor !== null ? self::WAIT_SECONDS : 0;
            $timeout = max($this->timeout, $wait + self::PATIENCE_SECONDS);
            return $this->listEvents($cursor, types: $types, deviceId: $deviceId, wait: $wait, timeout: $timeout);
        };
        $pause = fn (float $seconds) => $this->sleep($seconds * (0.5 + $this->random() / 2));
        return new EventFeed($readPage, $pause, $after, $follow);
    }
}
