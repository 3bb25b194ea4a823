// Sends one message through Kurir with Go's standard library only.
//
//	go run send.go 6281234567890 'Kode Anda 493021' [client_ref]
package main

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

type answer struct {
	Success bool   `json:"success"`
	Code    string `json:"code"`
	Error   string `json:"error"`
	Data    struct {
		JobID string `json:"job_id"`
	} `json:"data"`
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

func sign(method, target, timestamp string, body []byte) string {
	bodySHA256 := sha256.Sum256(body)
	mac := hmac.New(sha256.New, []byte(setting("KURIR_API_SECRET")))
	fmt.Fprintf(mac, "%s:%s:%s:%x", method, target, timestamp, bodySHA256)
	return hex.EncodeToString(mac.Sum(nil))
}

// For the test vectors: reads method, target and timestamp on a line each, then the body, and prints the signature.
func signStdin() error {
	input := bufio.NewReader(os.Stdin)
	var lines [3]string
	for i := range lines {
		line, err := input.ReadString('\n')
		if err != nil {
			return err
		}
		lines[i] = strings.TrimSuffix(line, "\n")
	}
	body, err := io.ReadAll(input)
	if err != nil {
		return err
	}
	fmt.Println(sign(lines[0], lines[1], lines[2], body))
	return nil
}

func send(recipient, text, clientRef string) (result answer, err error) {
	const target = "/api/v1/messages/send"
	timestamp := strconv.FormatInt(time.Now().UnixMilli(), 10)
	// Exactly these bytes are signed and sent. If JSON is written a second time, it may differ.
	body, err := json.Marshal(map[string]string{"message": text, "phone_destination": recipient, "client_ref": clientRef})
	if err != nil {
		return result, err
	}
	request, err := http.NewRequest("POST", strings.TrimSuffix(setting("KURIR_BASE_URL"), "/")+target, bytes.NewReader(body))
	if err != nil {
		return result, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-API-Key", setting("KURIR_API_KEY"))
	request.Header.Set("X-Timestamp", timestamp)
	request.Header.Set("X-Signature", sign("POST", target, timestamp, body))
	request.Header.Set("X-Device-Id", setting("KURIR_DEVICE_ID"))

	client := http.Client{Timeout: 10 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		return result, err
	}
	defer response.Body.Close()
	err = json.NewDecoder(response.Body).Decode(&result)
	return result, err
}

func newClientRef() string {
	var random [16]byte
	if _, err := rand.Read(random[:]); err != nil {
		fail(err)
	}
	return hex.EncodeToString(random[:])
}

func main() {
	args := os.Args[1:]
	if len(args) == 1 && args[0] == "--sign-stdin" {
		if err := signStdin(); err != nil {
			fail(err)
		}
		return
	}
	if len(args) != 2 && len(args) != 3 {
		fail("Usage: go run send.go RECIPIENT TEXT [CLIENT_REF]")
	}

	// A message with the same client_ref is the same message. If no answer came, try again with the same client_ref.
	clientRef := newClientRef()
	if len(args) == 3 {
		clientRef = args[2]
	}
	result, err := send(args[0], args[1], clientRef)
	if err != nil {
		fail(err)
	}
	if !result.Success {
		fail(result.Code + ": " + result.Error)
	}
	fmt.Println(result.Data.JobID)
}
