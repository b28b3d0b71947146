// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import dev.holdfast.base.Decoded;
import dev.holdfast.grpc.XdsTypes;
import dev.holdfast.testkit.Resources;
import dev.holdfast.xds.client.ServerConfig;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.extensions.filters.http.router.v3.Router;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The table of gRFCs in the page on moving from grpc-xds: what it says is refused is refused so.
 */
class GrfcTableTest {
  private static final Path PAGE = Path.of("..", "docs", "moving-from-grpc-xds.md");
  private static final Pattern ROW =
      Pattern.compile("\\| \\[?(A\\d+)\\]?[^|]*\\| [^|]* \\| (\\w+)\\b[^|]*\\| (.*) \\|");
  private static final String FILTERS = "envoy.extensions.filters.http.";

  private record Row(String status, String text) {}

  private static Map<String, Row> rows() throws IOException {
    Map<String, Row> rows = new TreeMap<>();
    for (String line : Files.readAllLines(PAGE)) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        assertThat(rows.put(row.group(1), new Row(row.group(2), row.group(3))))
            .as("two rows for %s", row.group(1))
            .isNull();
      }
    }
    return rows;
  }

  /** Each with a resource that needs the feature. */
  static Stream<Arguments> refusals() {
    return Stream.of(
        Arguments.of("A41", filter("rbac.v3.RBAC")),
        Arguments.of("A83", filter("gcp_authn.v3.GcpAuthnFilterConfig")),
        Arguments.of("A103", filter("composite.v3.Composite")),
        Arguments.of(
            "A86",
            Xds.cluster(
                "c",
                "\"transport_socket\": {\"name\":"
                    + " \"envoy.transport_sockets.http_11_proxy\"}")));
  }

  private static Listener filter(String type) {
    HttpConnectionManager.Builder manager = HttpConnectionManager.newBuilder();
    manager.getRdsBuilder().setRouteConfigName("r").getConfigSourceBuilder().getAdsBuilder();
    manager
        .addHttpFiltersBuilder()
        .setName("filter")
        .setTypedConfig(Any.newBuilder().setTypeUrl("type.googleapis.com/" + FILTERS + type));
    manager
        .addHttpFiltersBuilder()
        .setName("router")
        .setTypedConfig(Any.pack(Router.getDefaultInstance()));
    Listener.Builder listener = Listener.newBuilder().setName("svc");
    listener.getApiListenerBuilder().setApiListener(Any.pack(manager.build()));
    return listener.build();
  }

  private static List<String> problems(Message resource) {
    ServerConfig server = ServerConfig.insecure("localhost:1");
    XdsTypes types = new XdsTypes();
    Decoded<?> decoded =
        resource instanceof Listener
            ? types.listener().decode(resource.toByteString(), server)
            : types.cluster().decode(resource.toByteString(), server);
    return decoded instanceof Decoded.Invalid<?> invalid
        ? invalid.problems().stream().map(Object::toString).toList()
        : List.of();
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void whatThePageCallsRefusedIsRefusedWithTheTextThatItHas(String grfc, Message resource)
      throws IOException {
    Row row = rows().get(grfc);

    assertThat(row).as(grfc).isNotNull();
    assertThat(row.status()).as(grfc).isEqualTo("refused");
    assertThat(problems(resource)).as(grfc).hasSize(1);
    assertThat(row.text()).as(grfc).contains("`" + problems(resource).get(0) + "`");
  }

  @Test
  void whatIsRefusedOfASupportedFeatureHasItsTextToo() throws IOException {
    Message otherServer = Xds.cluster("c", "\"lrs_server\": {\"ads\": {}}");
    Row row = rows().get("A27");

    assertThat(row).isNotNull();
    assertThat(problems(otherServer)).hasSize(1);
    assertThat(row.text()).contains("`" + problems(otherServer).get(0) + "`");
  }

  @Test
  void everyRowHasAStatusAndEveryRefusalItsScene() throws IOException {
    Map<String, Row> rows = rows();

    assertThat(rows).hasSizeGreaterThan(50);
    assertThat(rows.values())
        .extracting(Row::status)
        .containsOnly("yes", "refused", "ignored", "no");
    // A87 is no matter of a resource; ClusterSecurityTest has its text.
    List<String> scenes =
        Stream.concat(refusals().map(each -> (String) each.get()[0]), Stream.of("A87"))
            .sorted()
            .toList();
    assertThat(rows.entrySet().stream().filter(row -> row.getValue().status().equals("refused")))
        .extracting(Map.Entry::getKey)
        .containsExactlyElementsOf(scenes);
  }

  @Test
  void aResourceWithoutSuchAFeatureIsNotRefused() {
    assertThat(problems(Xds.cluster("c", ""))).isEmpty();
    assertThat(problems(Resources.apiListener("svc", "r"))).isEmpty();
  }
}
