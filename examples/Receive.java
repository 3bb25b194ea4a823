// Receives Kurir's webhooks with Java's built-ins only.
//   KURIR_WEBHOOK_SECRET=whsec_… java Receive.java
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Receive {
    private static final long TOLERANCE_SECONDS = 300;
    private static final int MAX_BODY_BYTES = 1 << 20;

    // Java has no reader of JSON. Your program uses a library here.
    private static final Pattern TYPE = Pattern.compile("\"type\":\"([a-z_.]+)\"");

    // Kurir repeats an event until it gets an answer. Your program: insert the id into a table with a unique index.
    private static final Set<String> handled = ConcurrentHashMap.newKeySet();

    private static String header(Headers headers, String name) {
        String value = headers.getFirst(name);
        return value == null ? "" : value;
    }

    // Compares the signature with the bytes as they arrived. JSON that is parsed and written again may differ.
    private static boolean isSigned(byte[] key, Headers headers, byte[] body) throws GeneralSecurityException {
        String timestamp = header(headers, "webhook-timestamp");
        if (!timestamp.matches("[0-9]{1,12}")) return false;
        long age = System.currentTimeMillis() / 1000 - Long.parseLong(timestamp);
        if (Math.abs(age) > TOLERANCE_SECONDS) return false;

        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        mac.update((header(headers, "webhook-id") + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        byte[] wanted = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
        // While a secret is replaced, Kurir signs with the old one and the new one.
        for (String given : header(headers, "webhook-signature").split(" ")) {
            if (MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), wanted)) return true;
        }
        return false;
    }

    private static void handle(String id, String json) {
        Matcher type = TYPE.matcher(json);
        if (handled.add(id)) System.out.println((type.find() ? type.group(1) : "unknown") + " " + id);
    }

    private static int answer(byte[] key, HttpExchange exchange) throws IOException, GeneralSecurityException {
        byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
        if (body.length > MAX_BODY_BYTES) return 413;
        if (!isSigned(key, exchange.getRequestHeaders(), body)) return 401;
        // The signature covers the id too.
        handle(header(exchange.getRequestHeaders(), "webhook-id"), new String(body, StandardCharsets.UTF_8));
        return 204;
    }

    public static void main(String[] args) throws IOException {
        String secret = System.getenv("KURIR_WEBHOOK_SECRET");
        if (secret == null || secret.isEmpty()) {
            System.err.println("KURIR_WEBHOOK_SECRET is not set.");
            System.exit(1);
        }
        byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "8000"));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(answer(key, exchange), -1);
            } catch (GeneralSecurityException error) {
                exchange.sendResponseHeaders(500, -1);
            }
        });
        server.start();
    }
}
