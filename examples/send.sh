#!/usr/bin/env bash
# Sends one message through Kurir with bash, openssl and curl.
#   bash send.sh 6281234567890 'Kode Anda 493021' [client_ref]
set -euo pipefail

# Writes the key, XORed with the pad, one byte at a time. It uses only builtins, so nothing becomes a process argument.
write_padded_key() { # key as hex, pad
  local key_hex=$1 pad=$2 escape i
  for ((i = 0; i < 128; i += 2)); do
    printf -v escape '\\x%02x' $((16#${key_hex:i:2} ^ pad))
    printf "$escape"
  done
}

# Prints the HMAC-SHA256 of stdin as lower-case hex. `openssl dgst -hmac` and `openssl mac -macopt` take the secret as
# an argument, which everybody on the machine can read with `ps`. So this computes HMAC as RFC 2104 defines it:
#   sha256((key XOR 5c5c…) + sha256((key XOR 3636…) + text))
hmac_sha256() {
  local key_hex
  key_hex=$(printf %s "$KURIR_API_SECRET" | od -An -v -tx1 | tr -d ' \n')
  if ((${#key_hex} > 128)); then key_hex=$(printf %s "$KURIR_API_SECRET" | openssl dgst -sha256 -r | cut -c 1-64); fi
  while ((${#key_hex} < 128)); do key_hex+=00; done
  {
    write_padded_key "$key_hex" 0x5c
    { write_padded_key "$key_hex" 0x36 && cat; } | openssl dgst -sha256 -binary
  } | openssl dgst -sha256 -r | cut -c 1-64
}

# Prints the signature of the body on stdin.
sign() { # method, target, timestamp
  local body_sha256
  body_sha256=$(openssl dgst -sha256 -r | cut -c 1-64)
  printf '%s:%s:%s:%s' "$1" "$2" "$3" "$body_sha256" | hmac_sha256
}

# Prints the time in milliseconds. Bash before 5 cannot tell them; random digits keep two requests of one second apart.
now_ms() {
  local microseconds=${EPOCHREALTIME-}
  microseconds=${microseconds/[.,]/}
  if [[ $microseconds ]]; then printf %s "${microseconds%???}"; else printf '%s%03d' "$(date +%s)" $((RANDOM % 1000)); fi
}

json_string() { # text
  local text=$1 code char escape
  text=${text//\\/\\\\}
  text=${text//\"/\\\"}
  for ((code = 1; code < 32; code++)); do
    printf -v escape '\\x%02x' "$code"
    printf -v char "$escape"
    printf -v escape '\\u%04x' "$code"
    text=${text//"$char"/"$escape"}
  done
  printf '"%s"' "$text"
}

fail() {
  printf '%s\n' "$1" >&2
  exit 1
}

: "${KURIR_API_SECRET:?is not set}"

# For the test vectors: reads method, target and timestamp on a line each, then the body, and prints the signature.
if [[ ${1-} == --sign-stdin ]]; then
  IFS= read -r method && IFS= read -r target && IFS= read -r timestamp
  sign "$method" "$target" "$timestamp"
  exit
fi

: "${KURIR_BASE_URL:?is not set}" "${KURIR_API_KEY:?is not set}" "${KURIR_DEVICE_ID:?is not set}"
(($# == 2 || $# == 3)) || fail 'Usage: bash send.sh RECIPIENT TEXT [CLIENT_REF]'

# A message with the same client_ref is the same message. If no answer came, try again with the same client_ref.
client_ref=${3:-$(openssl rand -hex 16)}
target=/api/v1/messages/send
timestamp=$(now_ms)
body="{\"message\":$(json_string "$2"),\"phone_destination\":$(json_string "$1"),\"client_ref\":$(json_string "$client_ref")}"
signature=$(printf %s "$body" | sign POST "$target" "$timestamp")

answer=$(printf %s "$body" | curl --silent --show-error --max-time 10 --write-out '\n%{http_code}' \
  --header 'Content-Type: application/json' \
  --header "X-API-Key: $KURIR_API_KEY" \
  --header "X-Timestamp: $timestamp" \
  --header "X-Signature: $signature" \
  --header "X-Device-Id: $KURIR_DEVICE_ID" \
  --data-binary @- "${KURIR_BASE_URL%/}$target")

# The answer is one line of JSON: {"success":true,…,"data":{"job_id":"…"}} or {"success":false,"code":"…","error":"…"}.
[[ ${answer##*$'\n'} == 200 ]] || fail "${answer%$'\n'*}"
printf '%s\n' "${answer%$'\n'*}"
