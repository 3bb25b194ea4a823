// Receives Kurir's webhooks with Go's standard library only.
//
//	KURIR_WEBHOOK_SECRET=whsec_… go run receive.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const toleranceSeconds = 300
const maxBodyBytes = 1 << 20

type event struct {
	ID   string `json:"id"`
	Type string `json:"type"`
}

func fail(sentence any) {
	fmt.Fprintln(os.Stderr, sentence)
	os.Exit(1)
}

func setting(name string) string {
	value := os.Getenv(name)
	if value == "" {
		fail(name + " is not set.")
	}
	return value
}

// Compares the signature with the bytes as they arrived. JSON that is parsed and written again may differ.
func isSigned(key []byte, header http.Header, body []byte) bool {
	timestamp := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return false
	}
	if age := time.Now().Unix() - seconds; age > toleranceSeconds || age < -toleranceSeconds {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", header.Get("webhook-id"), timestamp, body)
	wanted := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	// While a secret is replaced, Kurir signs with the old one and the new one.
	for _, given := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(given), wanted) {
			return true
		}
	}
	return false
}

// Kurir repeats an event until it gets an answer. Your program: insert the id into a table with a unique index.
var handled sync.Map

func handle(received event) {
	if _, known := handled.LoadOrStore(received.ID, true); !known {
		fmt.Println(received.Type, received.ID)
	}
}

func answer(key []byte, response http.ResponseWriter, request *http.Request) int {
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, maxBodyBytes))
	if err != nil {
		return http.StatusRequestEntityTooLarge
	}
	if !isSigned(key, request.Header, body) {
		return http.StatusUnauthorized
	}
	// The signature proves that the body is Kurir's.
	var received event
	if err := json.Unmarshal(body, &received); err != nil {
		return http.StatusBadRequest
	}
	handle(received)
	return http.StatusNoContent
}

func main() {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(setting("KURIR_WEBHOOK_SECRET"), "whsec_"))
	if err != nil {
		fail("KURIR_WEBHOOK_SECRET is not a secret like whsec_….")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "8000"
	}
	receiver := http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		response.WriteHeader(answer(key, response, request))
	})
	server := http.Server{Addr: "127.0.0.1:" + port, Handler: receiver, ReadTimeout: 30 * time.Second}
	fail(server.ListenAndServe())
}
