<?php

// For a program without Composer: require this file.

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    $file = __DIR__ . '/src/' . str_replace('\\', '/', substr($class, strlen('Kurir\\'))) . '.php';
    if (str_starts_with($class, 'Kurir\\') && is_file($file)) {
        require $file;
    }
});
