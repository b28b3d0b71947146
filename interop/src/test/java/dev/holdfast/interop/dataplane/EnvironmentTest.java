// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.LineProcess;
import dev.holdfast.testkit.TypeUrls;
import io.grpc.Status;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Applications that only have the dependency, and an environment. */
@Execution(ExecutionMode.CONCURRENT)
class EnvironmentTest {
  private final Stage stage = new Stage();
  private final Backend one = stage.backend("one");

  @AfterEach
  void close() {
    stage.close();
  }

  private String call(Map<String, String> environment, String target) throws Exception {
    try (LineProcess process = Processes.java(environment, CallMain.class, target)) {
      return process.await("an outcome", line -> line.startsWith("outcome "));
    }
  }

  private Map<String, String> bootstrap() {
    return new TreeMap<>(
        Map.of(
            "GRPC_XDS_BOOTSTRAP_CONFIG",
            """
            {"xds_servers": [{"server_uri": "%s", "channel_creds": [{"type": "insecure"}]}],
             "node": {"id": "from-the-environment"}}
            """
                .formatted(stage.ads.uri())));
  }

  @Test
  void theBootstrapOfTheEnvironmentIsEnough() throws Exception {
    stage.serve(one);
    assertThat(call(bootstrap(), "xds:///svc")).startsWith("outcome OK one ");
  }

  @Test
  void nothingIsLeftOfChannelsThatAreShutDownAndNothingIsLogged() throws Exception {
    stage.serve(one);
    try (LineProcess process =
        Processes.java(bootstrap(), LeftoversMain.class, "xds:///svc", "xds:///svc")) {
      process.await("an outcome", line -> line.equals("outcome OK"));
      assertThat(process.await("threads", line -> line.startsWith("threads ")))
          .isEqualTo("threads []");
      assertThat(process.await("lines", line -> line.startsWith("lines "))).isEqualTo("lines []");
      assertThat(process.allLines()).doesNotContain("not terminated");
    }
  }

  @Test
  void theNodeOfTheBootstrapIsInErrors() throws Exception {
    stage.ads.error(TypeUrls.LISTENER, "svc", 5, "nobody knows it");
    assertThat(call(bootstrap(), "xds:///svc"))
        .contains("UNAVAILABLE", "nobody knows it", "from-the-environment");
  }

  @Test
  void withoutABootstrapCallsSayWhatIsMissing() throws Exception {
    assertThat(call(Map.of(), "xds:///svc")).contains("UNAVAILABLE", "GRPC_XDS_BOOTSTRAP");
  }

  @Test
  void systemPropertiesAreNotRead() throws Exception {
    Map<String, String> property = Map.of("JAVA_TOOL_OPTIONS", "-Dio.grpc.xds.bootstrap=/no/file");
    assertThat(call(property, "xds:///svc"))
        .contains("UNAVAILABLE", "GRPC_XDS_BOOTSTRAP")
        .doesNotContain("/no/file");
  }

  @ParameterizedTest
  @CsvSource({"false, 1", "true, 2"})
  void retriesOfTheControlPlaneCanBeSwitchedOff(String value, int attempts) throws Exception {
    stage.serve(one);
    stage.ads.set(Xds.routes(Xds.route("\"retry_policy\": {\"retry_on\": \"unavailable\"}")));
    one.failAlways(Status.UNAVAILABLE.withDescription("sick"));
    Map<String, String> environment = bootstrap();
    environment.put("GRPC_XDS_EXPERIMENTAL_ENABLE_RETRY", value);
    assertThat(call(environment, "xds:///svc")).contains("sick");
    assertThat(one.calls()).isEqualTo(attempts);
  }
}
