// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.TestCa;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.DataSource;
import io.envoyproxy.envoy.config.core.v3.HeaderValueOption;
import io.envoyproxy.envoy.config.route.v3.FilterConfig;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.extensions.filters.http.lua.v3.LuaPerRoute;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ValidatorsTest {
  private static final RouteConfiguration GOOD =
      EnvoyResources.routes("routes", EnvoyResources.regexHost("a", "/a+", "one"));

  @Test
  void whatIsGoodIsTaken() {
    List<Validator> all = Validators.standard();

    assertThat(all)
        .allSatisfy(
            validator -> {
              assertThat(validator.check(GOOD)).isNull();
              assertThat(validator.check(EnvoyResources.staticCluster("one", 1))).isNull();
              assertThat(validator.check(Resources.endpoints("one", 1))).isNull();
            });
    assertThat(Constraints.check(GOOD)).isNull();
    assertThat(Constraints.check(EnvoyResources.listener("l", "routes"))).isNull();
  }

  @Test
  void filtersThatAreNotBuiltInAreNamed() {
    Validator validator =
        Validators.filters(Set.of("envoy.extensions.filters.http.router.v3.Router"));

    assertThat(validator.check(EnvoyResources.listener("l", "r"))).isNull();
    assertThat(validator.check(EnvoyResources.luaFilter("mine", "")))
        .isEqualTo(
            "Didn't find a registered implementation for 'mine' with type URL:"
                + " 'envoy.extensions.filters.http.lua.v3.Lua'");
  }

  @Test
  void certificatesAreReadAsTextAndAsBytes() {
    String pem = TestCa.create("authority").issue("server").certificatePem();

    assertThat(Validators.certificates().check(secret(source -> source.setInlineString(pem))))
        .isNull();
    assertThat(
            Validators.certificates()
                .check(secret(source -> source.setInlineBytes(ByteString.copyFromUtf8(pem)))))
        .isNull();
    assertThat(
            Validators.certificates()
                .check(secret(source -> source.setInlineBytes(ByteString.copyFromUtf8("no")))))
        .isEqualTo("Failed to load certificate chain from <inline>");
  }

  @Test
  void aScriptIsFoundInsideOfWhetherItsFilterIsOn() {
    Any script =
        Any.pack(
            LuaPerRoute.newBuilder()
                .setSourceCode(DataSource.newBuilder().setInlineString("function f("))
                .build());
    Any wrapped = Any.pack(FilterConfig.newBuilder().setConfig(script).build());

    for (Any said : List.of(script, wrapped)) {
      assertThat(
              Validators.scripts()
                  .check(GOOD.toBuilder().putTypedPerFilterConfig("lua", said).build()))
          .startsWith("script load error");
    }
  }

  private static Secret secret(Consumer<DataSource.Builder> certificate) {
    Secret.Builder secret = Secret.newBuilder().setName("s");
    certificate.accept(secret.getTlsCertificateBuilder().getCertificateChainBuilder());
    return secret.build();
  }

  @Test
  void regularExpressionsHaveASize() {
    assertThat(RegexSize.of("/abc")).isLessThan(10);
    assertThat(RegexSize.of("(a|b[^]]\\]){3}")).isBetween(15, 30);
    assertThat(RegexSize.of("/[a-z]{200}")).isGreaterThan(200);
    assertThat(RegexSize.of("((a{100}){100}){100}")).isGreaterThan(100_000);
    assertThat(RegexSize.of("a{,5}x{y}")).isLessThan(20);
  }

  @Test
  void constraintsOfTheApiAreKept() {
    assertThat(Constraints.check(Cluster.getDefaultInstance()))
        .isEqualTo("ClusterValidationError.Name: value length must be at least 1 characters");
    assertThat(
            Constraints.check(
                EnvoyResources.staticCluster("c", 1).toBuilder()
                    .setConnectTimeout(Duration.getDefaultInstance())
                    .build()))
        .isEqualTo("ClusterValidationError.ConnectTimeout: value must be greater than 0s");
    assertThat(Constraints.check(Resources.endpoints("e", 70_000)))
        .endsWith(
            "SocketAddressValidationError.PortValue: value must be less than or equal to 65535");
    HeaderValueOption.Builder header = HeaderValueOption.newBuilder();
    header.getHeaderBuilder().setKey("a\nb");
    assertThat(Constraints.check(GOOD.toBuilder().addRequestHeadersToAdd(header).build()))
        .contains("RequestHeadersToAdd[0]")
        .endsWith("HeaderValueValidationError.Key: value does not match regex pattern");
    assertThat(
            Constraints.check(
                GOOD.toBuilder()
                    .addVirtualHosts(
                        io.envoyproxy.envoy.config.route.v3.VirtualHost.newBuilder().setName("v"))
                    .build()))
        .endsWith("VirtualHostValidationError.Domains: value must contain at least 1 item(s)");
  }
}
