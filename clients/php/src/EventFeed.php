<?php

declare(strict_types=1);

namespace Kurir;

use Closure;
use Generator;
use IteratorAggregate;

/**
 * The events of an account, one after the other. Each page is asked for by the cursor of the one before, so an outage
 * loses nothing.
 *
 * @implements IteratorAggregate<int, array<string, mixed>>
 */
final class EventFeed implements IteratorAggregate
{
    private const MAX_PAUSE_SECONDS = 30.0;

    /**
     * @param Closure(string|null): array<string, mixed> $readPage
     * @param Closure(float): void $pause
     * @internal
     */
    public function __construct(
        private readonly Closure $readPage,
        private readonly Closure $pause,
        private ?string $cursor,
        private readonly bool $follow,
    ) {
    }

    /** The place up to which all events were handled. Null: the feed has not begun. */
    public function cursor(): ?string
    {
        return $this->cursor;
    }

    public function getIterator(): Generator
    {
        for ($failures = 0; ; ) {
            try {
                $page = ($this->readPage)($this->cursor);
            } catch (KurirError $error) {
                if (!$this->follow || !$error->isPassing()) {
                    throw $error;
                }
                ($this->pause)(min(2.0 ** $failures, self::MAX_PAUSE_SECONDS));
                $failures++;
                continue;
            }
            $failures = 0;
            foreach ($page['events'] as $event) {
                yield $event;
            }
            $this->cursor = $page['next_cursor'];
            if (!$this->follow && !$page['has_more']) {
                return;
            }
        }
    }
}
