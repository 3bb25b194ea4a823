<?php

declare(strict_types=1);

namespace Kurir;

/** Says which failures may be tried again without doing anything twice, and after which delay. */
final class Retries
{
    private const FIRST_BACKOFF_SECONDS = 0.25;
    private const MAX_BACKOFF_SECONDS = 8.0;
    /** If Retry-After is longer, the call fails. The caller finds it in the error. */
    private const MAX_RETRY_AFTER_SECONDS = 60.0;

    /** Returns the seconds until the next try, or null. `$retry` counts from 0, `$random` is 0 to 1. */
    public static function delay(KurirError $error, string $repeat, int $retry, float $random): ?float
    {
        $isUnanswered = $error->errorCode === KurirError::NO_ANSWER;
        if (!($isUnanswered ? self::mayTryUnanswered($error, $repeat) : self::mayTryRefused($error, $repeat))) {
            return null;
        }
        if ($error->retryAfter === null) {
            return min(self::FIRST_BACKOFF_SECONDS * 2 ** $retry, self::MAX_BACKOFF_SECONDS) * (0.5 + $random / 2);
        }
        // Never sooner than asked. The spread keeps clients from coming back all at the same time.
        $delay = $error->retryAfter + $random * self::FIRST_BACKOFF_SECONDS;
        return $error->retryAfter > self::MAX_RETRY_AFTER_SECONDS ? null : $delay;
    }

    private static function mayTryUnanswered(KurirError $error, string $repeat): bool
    {
        if ($error->status !== null && self::isLasting($error->status)) {
            return false;
        }
        return $repeat !== 'refuse' || !$error->mayHaveArrived;
    }

    /** With 429 and 503 the gateway asks for another try, and it does not repeat work that is done. */
    private static function mayTryRefused(KurirError $error, string $repeat): bool
    {
        $status = $error->status ?? 0;
        return $status === 429 || $status === 503 || ($repeat !== 'refuse' && !self::isLasting($status));
    }

    /** Whether another try would only repeat this status, of the gateway or of a proxy. */
    private static function isLasting(int $status): bool
    {
        return $status >= 300 && $status !== 429 && ($status < 500 || $status === 501);
    }
}
