<?php
// Sends one message through Kurir with PHP's built-ins only (no curl extension needed).
//   php send.php 6281234567890 'Kode Anda 493021' [client_ref]

declare(strict_types=1);

function fail(string $sentence): never
{
    fwrite(STDERR, $sentence . "\n");
    exit(1);
}

function setting(string $name): string
{
    return getenv($name) ?: fail("$name is not set.");
}

function sign(string $method, string $target, string $timestamp, string $body): string
{
    $stringToSign = "$method:$target:$timestamp:" . hash('sha256', $body);
    return hash_hmac('sha256', $stringToSign, setting('KURIR_API_SECRET'));
}

// For the test vectors: reads method, target and timestamp on a line each, then the body, and prints the signature.
function signStdin(): void
{
    [$method, $target, $timestamp] = [fgets(STDIN), fgets(STDIN), fgets(STDIN)];
    $body = stream_get_contents(STDIN);
    echo sign(substr($method, 0, -1), substr($target, 0, -1), substr($timestamp, 0, -1), $body), "\n";
}

function send(string $recipient, string $text, string $clientRef): array
{
    $target = '/api/v1/messages/send';
    $timestamp = (string) (int) (microtime(true) * 1000);
    // Exactly this text is signed and sent. The escaped slashes of json_encode are fine, because nobody rewrites them.
    $body = json_encode(
        ['message' => $text, 'phone_destination' => $recipient, 'client_ref' => $clientRef],
        JSON_THROW_ON_ERROR,
    );
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => [
            'Content-Type: application/json',
            'X-API-Key: ' . setting('KURIR_API_KEY'),
            "X-Timestamp: $timestamp",
            'X-Signature: ' . sign('POST', $target, $timestamp, $body),
            'X-Device-Id: ' . setting('KURIR_DEVICE_ID'),
        ],
        'content' => $body,
        'timeout' => 10,
        'ignore_errors' => true, // the body of a refusal says why
    ]]);
    $answer = @file_get_contents(rtrim(setting('KURIR_BASE_URL'), '/') . $target, false, $context);
    if ($answer === false) {
        fail(error_get_last()['message']);
    }
    return json_decode($answer, true, flags: JSON_THROW_ON_ERROR);
}

$args = array_slice($argv, 1);
if ($args === ['--sign-stdin']) {
    signStdin();
    exit;
}
if (count($args) !== 2 && count($args) !== 3) {
    fail('Usage: php send.php RECIPIENT TEXT [CLIENT_REF]');
}

// A message with the same client_ref is the same message. If no answer came, try again with the same client_ref.
$answer = send($args[0], $args[1], $args[2] ?? bin2hex(random_bytes(16)));
if (!$answer['success']) {
    fail("{$answer['code']}: {$answer['error']}");
}
echo $answer['data']['job_id'], "\n";
