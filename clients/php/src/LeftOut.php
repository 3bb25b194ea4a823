<?php

declare(strict_types=1);

namespace Kurir;

/** The default of arguments for which null has a meaning of its own: no limit, no proxy, or no value. */
enum LeftOut
{
    case Yes;
}
