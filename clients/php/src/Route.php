<?php

declare(strict_types=1);

namespace Kurir;

/** One operation of the API. */
final class Route
{
    /**
     * @param 'harmless'|'first-answer'|'refuse' $repeat How the gateway treats a second use of a signature.
     * @param bool $hasClientRef Whether the gateway recognises a repeat by client_ref, also with another signature.
     * @param list<string> $nullable The fields of the body for which null has a meaning.
     */
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly string $repeat,
        public readonly bool $needsDevice = false,
        public readonly bool $hasClientRef = false,
        public readonly array $nullable = [],
    ) {
    }
}
