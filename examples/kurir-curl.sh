# Signed calls with bash, openssl and curl. Load it with: . ./kurir-curl.sh
#   kurir_curl GET '/api/v1/messages?limit=20'
#   kurir_curl POST /api/v1/messages/send '{"message":"Halo","phone_destination":"6281234567890"}'

# Prints 64 bytes: the secret, filled up with zeros, XORed with the pad. Builtins only, so that ps never shows the secret.
kurir_pad() { # pad
  local hex=$KURIR_SECRET_HEX escape i
  for ((i = 0; i < 128; i += 2)); do
    printf -v escape '\\x%02x' $((16#${hex:i:2} ^ $1))
    printf "$escape"
  done
}

# Prints the HMAC-SHA256 of stdin as RFC 2104 defines it.
kurir_hmac() {
  local KURIR_SECRET_HEX
  KURIR_SECRET_HEX=$(printf %s "$KURIR_API_SECRET" | od -An -v -tx1 | tr -d ' \n')
  while ((${#KURIR_SECRET_HEX} < 128)); do KURIR_SECRET_HEX+=00; done
  { kurir_pad 0x5c && { kurir_pad 0x36 && cat; } | openssl dgst -sha256 -binary; } | kurir_sha256
}

kurir_sha256() { openssl dgst -sha256 -r | cut -c 1-64; }

kurir_curl() { # method, path with query, body
  local method=$1 target=$2 body=${3-} device=${KURIR_DEVICE_ID-} time text headers
  time=${EPOCHREALTIME:-$(date +%s)000000}
  time=${time/[.,]/} time=${time%???}
  text="v2:$method:$target:$time:$device:$(printf '' | kurir_sha256):$(printf %s "$body" | kurir_sha256)"
  headers=(--header "X-API-Key: $KURIR_API_KEY" --header "X-Timestamp: $time" --header 'X-Signature-Version: 2')
  headers+=(--header "X-Signature: $(printf %s "$text" | kurir_hmac)")
  if [[ $device ]]; then headers+=(--header "X-Device-Id: $device"); fi
  if [[ $body ]]; then headers+=(--header 'Content-Type: application/json' --data-binary "$body"); fi
  curl --silent --show-error --request "$method" "${headers[@]}" "${KURIR_BASE_URL%/}$target"
}
