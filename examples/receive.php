<?php
// Receives Kurir's webhooks with PHP's built-ins only.
//   KURIR_WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:8000 receive.php

declare(strict_types=1);

const TOLERANCE_SECONDS = 300;
const MAX_BODY_BYTES = 1_048_576;

// Compares the signature with the bytes as they arrived. JSON that is parsed and written again may differ.
function isSigned(string $key, string $id, string $timestamp, string $signatures, string $body): bool
{
    if (!preg_match('/^\d{1,12}$/D', $timestamp) || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $wanted = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // While a secret is replaced, Kurir signs with the old one and the new one.
    foreach (explode(' ', $signatures) as $given) {
        if (hash_equals($wanted, $given)) {
            return true;
        }
    }
    return false;
}

// Kurir repeats an event until it gets an answer. Your program: insert the id into a table with a unique index.
// Here a file that must not exist yet does the same.
function isNew(string $id): bool
{
    $folder = sys_get_temp_dir() . '/kurir-events';
    if (!is_dir($folder)) {
        @mkdir($folder, 0700);
    }
    $file = @fopen("$folder/" . hash('sha256', $id), 'x');
    return $file !== false && fclose($file);
}

function handle(array $event): void
{
    if (isNew($event['id'])) {
        file_put_contents('php://stdout', "{$event['type']} {$event['id']}\n");
    }
}

function answer(): int
{
    $secret = getenv('KURIR_WEBHOOK_SECRET');
    if ($secret === false || $secret === '') {
        file_put_contents('php://stderr', "KURIR_WEBHOOK_SECRET is not set.\n");
        return 500;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $body = file_get_contents('php://input', length: MAX_BODY_BYTES + 1);
    if (strlen($body) > MAX_BODY_BYTES) {
        return 413;
    }
    [$id, $timestamp, $signatures] = array_map(
        fn (string $name): string => $_SERVER[$name] ?? '',
        ['HTTP_WEBHOOK_ID', 'HTTP_WEBHOOK_TIMESTAMP', 'HTTP_WEBHOOK_SIGNATURE'],
    );
    if (!isSigned($key, $id, $timestamp, $signatures, $body)) {
        return 401;
    }
    // The signature proves that the body is Kurir's.
    handle(json_decode($body, true, flags: JSON_THROW_ON_ERROR));
    return 204;
}

http_response_code(answer());
