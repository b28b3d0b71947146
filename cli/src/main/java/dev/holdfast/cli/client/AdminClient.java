// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import dev.holdfast.cli.CommandException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Asks the admin API. With the JDK's old HTTP client, which needs a tenth of the time that the new
 * one takes to start.
 */
public final class AdminClient {
  private static final int CONNECT_MILLIS = 5_000;
  private static final int READ_MILLIS = 30_000;

  /** The JDK reads bytes of HTTP/2 as a response without a status. */
  private static final String NOT_HTTP =
      " does not speak HTTP/1.1: is it the xDS port? (expected: the admin API of 'holdfast serve',"
          + " by default "
          + ServerOption.DEFAULT
          + ")";

  private final URL server;
  private final String token;
  private final @Nullable SSLSocketFactory tls;

  /**
   * @param token empty for none
   * @param tls null for what Java does by itself
   */
  AdminClient(URL server, String token, @Nullable SSLSocketFactory tls) {
    this.server = server;
    this.token = token;
    this.tls = tls;
  }

  /** One thing; empty if there is none. */
  public Optional<JsonObject> find(String path) {
    return exchange(
        path,
        connection -> {
          if (connection.getResponseCode() != 404) {
            return Optional.of(answer(connection));
          }
          if (errorMessage(connection) == null) {
            throw new CommandException(notOurs("is another HTTP server: it has no " + path));
          }
          return Optional.empty();
        });
  }

  /** Has something done. */
  public JsonObject post(String path) {
    return exchange(
        path,
        connection -> {
          connection.setDoOutput(true);
          connection.setRequestProperty("Content-Type", "application/json");
          try (OutputStream body = connection.getOutputStream()) {
            body.write("{}".getBytes(UTF_8));
          }
          return answer(connection);
        });
  }

  /**
   * One thing that is always there.
   *
   * @throws CommandException if it is not
   */
  public JsonObject get(String path) {
    return find(path).orElseThrow(() -> new CommandException(notOurs("has no " + path)));
  }

  /**
   * What a server goes on saying, to be closed by the caller.
   *
   * @throws CommandException if it says nothing
   */
  InputStream stream(String path) {
    HttpURLConnection connection = open(path);
    connection.setRequestProperty("Accept", "text/event-stream");
    try {
      if (connection.getResponseCode() == 200) {
        return connection.getInputStream();
      }
      throw new CommandException(refusal(connection.getResponseCode(), connection));
    } catch (IOException e) {
      throw new CommandException(server + failure(e), e);
    }
  }

  /** Text as a part of a path or a query. */
  public static String encode(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  private HttpURLConnection open(String path) {
    try {
      HttpURLConnection connection =
          (HttpURLConnection) new URI(server + path).toURL().openConnection(Proxy.NO_PROXY);
      if (tls != null && connection instanceof HttpsURLConnection secure) {
        secure.setSSLSocketFactory(tls);
      }
      connection.setConnectTimeout(CONNECT_MILLIS);
      connection.setReadTimeout(READ_MILLIS);
      connection.setInstanceFollowRedirects(false);
      connection.setRequestProperty("Accept", "application/json");
      if (!token.isEmpty()) {
        connection.setRequestProperty("Authorization", "Bearer " + token);
      }
      return connection;
    } catch (IOException | URISyntaxException | IllegalArgumentException e) {
      throw new CommandException(server + ": the request failed: " + e.getMessage(), e);
    }
  }

  /** What is done with a connection. */
  @FunctionalInterface
  private interface Exchange<T> {
    T with(HttpURLConnection connection) throws IOException;
  }

  private <T> T exchange(String path, Exchange<T> exchange) {
    HttpURLConnection connection = open(path);
    try {
      return exchange.with(connection);
    } catch (IOException e) {
      throw new CommandException(server + failure(e), e);
    } finally {
      connection.disconnect();
    }
  }

  private JsonObject answer(HttpURLConnection connection) throws IOException {
    int status = connection.getResponseCode();
    if (status != 200) {
      throw new CommandException(refusal(status, connection));
    }
    return json(connection.getInputStream());
  }

  private JsonObject json(InputStream in) throws IOException {
    try (InputStreamReader reader = new InputStreamReader(in, UTF_8)) {
      if (JsonParser.parseReader(reader) instanceof JsonObject object) {
        return object;
      }
    } catch (JsonParseException e) {
      // the same answer as below
    }
    throw new CommandException(notOurs("sent a response that is not valid JSON"));
  }

  private String refusal(int status, HttpURLConnection connection) {
    if (status < 0) {
      return server + NOT_HTTP;
    }
    if (status == 401) {
      return server
          + (token.isEmpty() ? " requires a token" : " does not accept this token")
          + " (expected: --token-file FILE, or the token in HOLDFAST_TOKEN)";
    }
    String message = errorMessage(connection);
    return message == null
        ? notOurs("returned status " + status)
        : server + " returned an error: " + message;
  }

  /** The message of an error of the admin API; null if some other server answered. */
  private @Nullable String errorMessage(HttpURLConnection connection) {
    InputStream body = connection.getErrorStream();
    if (body != null) {
      try {
        JsonElement error = json(body).get("error");
        if (error instanceof JsonObject object
            && object.get("message") instanceof JsonPrimitive message) {
          return message.getAsString();
        }
      } catch (IOException | CommandException e) {
        // whatever it is, it is not ours
      }
    }
    return null;
  }

  private String notOurs(String what) {
    return server + " " + what + " (expected: the admin API of 'holdfast serve')";
  }

  private static String failure(IOException e) {
    String message = String.valueOf(e.getMessage());
    if (message.startsWith("Unexpected end of file") || message.startsWith("Invalid Http")) {
      return NOT_HTTP;
    }
    if (e instanceof UnknownHostException) {
      return " cannot be reached: unknown host (check --server)";
    }
    if (e instanceof SSLException) {
      return " cannot be trusted, or does not trust us: "
          + message
          + " (check --ca, --certificate and --key, and the host in --server)";
    }
    if (e instanceof SocketTimeoutException) {
      return " cannot be reached: timed out";
    }
    return " cannot be reached: "
        + message
        + " (is 'holdfast serve' running there? check --server)";
  }
}
