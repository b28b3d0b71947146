// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.base.NamePattern;
import dev.holdfast.server.http.Peer;
import dev.holdfast.server.http.Request;
import dev.holdfast.server.options.AdminRole;
import dev.holdfast.server.options.AdminSecurity;
import dev.holdfast.server.tls.TlsFiles;
import dev.holdfast.testkit.TestCa;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What callers of the admin port may do, by token and by certificate, with TLS and without. */
class AdminRolesTest {
  private static final String READ = "read-0123456789abcdef";
  private static final String OPERATE = "operate-0123456789abcdef";
  private static final String CONFIRM = "/api/v1/deletions/confirm";

  private static final List<AdminSecurity.Token> TOKENS =
      List.of(
          new AdminSecurity.Token("ci", AdminRole.READ, READ),
          new AdminSecurity.Token("ops", AdminRole.OPERATE, OPERATE));

  private @TempDir Path directory;

  private static HttpResponse<String> confirm(RunningAdmin admin, String token) throws Exception {
    return admin.send(
        "POST", CONFIRM, "Content-Type", "application/json", "Authorization", "Bearer " + token);
  }

  @Test
  void aTokenThatReadsChangesNothing() throws Exception {
    try (RunningAdmin admin = new RunningAdmin(new AdminSecurity(TOKENS, null, List.of()))) {
      for (String token : List.of(READ, OPERATE)) {
        assertThat(admin.get("/api/v1/objects", "Authorization", "Bearer " + token).statusCode())
            .isEqualTo(200);
      }
      assertThat(confirm(admin, READ).statusCode()).isEqualTo(403);
      assertThat(confirm(admin, READ).body())
          .contains("ROLE_NOT_ALLOWED", "token ci may only read");
      assertThat(confirm(admin, "other-0123456789abcdef").statusCode()).isEqualTo(401);
      assertThat(confirm(admin, OPERATE).statusCode()).isEqualTo(409);
      assertThat(admin.reports.audited)
          .as("what was allowed is in the history, whether it worked or not")
          .containsExactly(
              "audit: token ops from 127.0.0.1: confirm deletions: not done: deletions: none waits,"
                  + " or others than those of the set (expected: what /api/v1/deletions lists now)");
    }
  }

  @Test
  void withoutTlsNothingIsChangedOverANetwork() {
    AccessControl access =
        new AccessControl(new AdminSecurity(TOKENS, null, List.of()), /* loopback= */ false);
    Request request =
        new Request(
            "POST",
            CONFIRM,
            "HTTP/1.1",
            Map.of("Host", List.of("a"), "Authorization", List.of("Bearer " + OPERATE)));
    Peer far = new Peer("192.0.2.1", /* local= */ false, /* encrypted= */ false, List.of());
    Peer near = new Peer("127.0.0.1", /* local= */ true, /* encrypted= */ false, List.of());
    Peer secure = new Peer("192.0.2.1", /* local= */ false, /* encrypted= */ true, List.of());

    Caller caller = access.check(request, far, CONFIRM);
    assertThat(caller).isEqualTo(new Caller("token ops", AdminRole.OPERATE));
    assertThatThrownBy(() -> access.checkWrite(caller, far))
        .hasMessageContaining("nothing is changed over a network without TLS");
    assertThatCode(() -> access.checkWrite(caller, near)).doesNotThrowAnyException();
    assertThatCode(() -> access.checkWrite(caller, secure)).doesNotThrowAnyException();
  }

  private static HttpClient client(TestCa trusted, TestCa.@Nullable Identity identity) {
    SSLContext context = TlsClients.context(trusted, identity);
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(context).build();
  }

  private static int send(HttpClient client, RunningAdmin admin, String method, String path)
      throws Exception {
    return client
        .send(
            HttpRequest.newBuilder(URI.create(admin.server.url() + path))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build(),
            HttpResponse.BodyHandlers.ofString())
        .statusCode();
  }

  @Test
  void certificatesHaveRolesAndFilesMayBeReplaced() throws Exception {
    TestCa ca = TestCa.create("ours");
    TestCa other = TestCa.create("theirs");
    ca.writeTo(directory);
    ca.issue("server").writeTo(directory);
    AdminSecurity security =
        new AdminSecurity(
            List.of(),
            new TlsFiles(
                directory.resolve("cert.pem"),
                directory.resolve("key.pem"),
                directory.resolve("ca.pem"),
                null),
            List.of(
                new AdminSecurity.Identity(
                    new NamePattern("spiffe://test/ops/*"), AdminRole.OPERATE),
                new AdminSecurity.Identity(new NamePattern("spiffe://test/*"), AdminRole.READ)));
    try (RunningAdmin admin = new RunningAdmin(security)) {
      assertThat(admin.server.url()).startsWith("https://127.0.0.1:");
      HttpClient ops = client(ca, ca.issueFor("x", "spiffe://test/ops/ann"));
      assertThat(send(ops, admin, "GET", "/api/v1/objects")).isEqualTo(200);
      assertThat(send(ops, admin, "POST", CONFIRM)).isEqualTo(409);
      assertThat(admin.reports.audited.get(0))
          .startsWith("audit: spiffe://test/ops/ann from 127.0.0.1: confirm deletions: ");
      HttpClient reader = client(ca, ca.issueFor("x", "spiffe://test/bob"));
      assertThat(send(reader, admin, "GET", "/api/v1/objects")).isEqualTo(200);
      assertThat(send(reader, admin, "POST", CONFIRM)).isEqualTo(403);
      HttpClient stranger = client(ca, ca.issueFor("x", "spiffe://elsewhere/eve"));
      assertThat(send(stranger, admin, "GET", "/api/v1/objects")).isEqualTo(401);
      assertThat(send(stranger, admin, "GET", "/healthz")).isEqualTo(200);
      for (HttpClient refused :
          List.of(client(ca, null), client(ca, other.issueFor("x", "spiffe://test/ops/eve")))) {
        assertThatThrownBy(() -> send(refused, admin, "GET", "/healthz"))
            .isInstanceOf(java.io.IOException.class);
      }
      assertThat(admin.raw("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"))
          .as("without TLS")
          .doesNotContain("HTTP/1.1");

      // The next connection gets the new certificate.
      other.issue("server").writeTo(directory);
      Files.writeString(directory.resolve("ca.pem"), ca.certificatePem() + other.certificatePem());
      long until = System.nanoTime() + 30_000_000_000L;
      boolean renewed = false;
      while (!renewed && System.nanoTime() < until) {
        try {
          renewed =
              send(client(other, ca.issueFor("x", "spiffe://test/bob")), admin, "GET", "/healthz")
                  == 200;
        } catch (java.io.IOException e) {
          Thread.sleep(100);
        }
      }
      assertThat(renewed).isTrue();
    }
  }
}
