<?php

declare(strict_types=1);

namespace Kurir;

use RuntimeException;
use Throwable;

/** A call failed, a wait ran out of time, or a webhook is not to be trusted. The message says what to do next. */
final class KurirError extends RuntimeException
{
    public const NO_ANSWER = 'NO_ANSWER';
    public const WAIT_TIMEOUT = 'WAIT_TIMEOUT';
    public const WEBHOOK_MALFORMED = 'WEBHOOK_MALFORMED';
    public const WEBHOOK_WRONG_SIGNATURE = 'WEBHOOK_WRONG_SIGNATURE';
    public const WEBHOOK_TOO_OLD = 'WEBHOOK_TOO_OLD';

    /**
     * @param string $errorCode A code of the gateway's catalogue, or one of the constants of this class.
     * @param int|null $status The HTTP status. Null if there was no answer.
     * @param string|null $requestId The X-Request-Id of the answer. Quote it when you ask for help.
     * @param float|null $retryAfter Seconds, from Retry-After.
     * @param bool $mayHaveArrived False if the request certainly did not reach the gateway.
     * @param array<string, mixed>|null $lastJob With WAIT_TIMEOUT, the job as it was last seen.
     * @param float|null $gatewayNow The gateway's time in seconds since 1970, from its header Date.
     */
    public function __construct(
        public readonly string $errorCode,
        string $message,
        public readonly ?int $status = null,
        public readonly ?string $requestId = null,
        public readonly ?float $retryAfter = null,
        public readonly bool $mayHaveArrived = true,
        public readonly ?array $lastJob = null,
        public readonly ?float $gatewayNow = null,
        ?Throwable $previous = null,
    ) {
        parent::__construct($message, 0, $previous);
    }

    /** Whether it is an outage, or a gateway that asks to come back later. */
    public function isPassing(): bool
    {
        return $this->errorCode === self::NO_ANSWER || ($this->status ?? 0) >= 500 || $this->status === 429;
    }
}
