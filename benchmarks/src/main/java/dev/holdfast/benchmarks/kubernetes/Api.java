// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.kubernetes;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The API server, as one who may do everything sees it. */
final class Api {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final URI server;
  private final String token;
  private final HttpClient client;

  Api(URI server, Path certificate, String token) {
    this.server = server;
    this.token = token;
    client =
        HttpClient.newBuilder()
            .sslContext(trust(certificate))
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();
  }

  String get(String path) {
    return sent("GET", path, "application/json", "").body();
  }

  boolean isThere(String path) {
    try {
      return send("GET", path, "application/json", "").statusCode() == 200;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  void create(String path, String json) {
    String unused = sent("POST", path, "application/json", json).body();
  }

  /** Server-side apply: YAML is welcome, too. */
  void apply(String path, String yaml) {
    String query = "?fieldManager=benchmark&force=true";
    String unused = sent("PATCH", path + query, "application/apply-patch+yaml", yaml).body();
  }

  void merge(String path, String json) {
    String unused = sent("PATCH", path, "application/merge-patch+json", json).body();
  }

  private HttpResponse<String> sent(String method, String path, String type, String body) {
    HttpResponse<String> response = send(method, path, type, body);
    if (response.statusCode() / 100 != 2) {
      throw new IllegalStateException(
          "%s %s: %d %s".formatted(method, path, response.statusCode(), response.body()));
    }
    return response;
  }

  private HttpResponse<String> send(String method, String path, String type, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server + path))
            .timeout(PATIENCE)
            .header("Accept", "application/json")
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", type)
            .method(method, BodyPublishers.ofString(body))
            .build();
    try {
      return client.send(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + path + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static SSLContext trust(Path certificates) {
    try (InputStream in = Files.newInputStream(certificates)) {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int count = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("server-" + count++, each);
      }
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
