// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.resolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.grpc.bootstrap.XdsBootstrap.Authority;
import dev.holdfast.grpc.bootstrap.XdsBootstrapBuilder;
import dev.holdfast.xds.client.ServerConfig;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From the target to the listener (gRFC A27, A47). */
class XdsTargetTest {
  @ParameterizedTest
  @CsvSource({
    "%s, shop.example, shop.example",
    "%s, a/b c, a/b c",
    "prefix/%s/%s, x, prefix/x/x",
    "fixed, x, fixed",
    "xdstp://auth/envoy.config.listener.v3.Listener/%s, a/b c?d, "
        + "xdstp://auth/envoy.config.listener.v3.Listener/a/b%20c%3Fd",
    "xdstp:///envoy.config.listener.v3.Listener/%s, h:80@[x], "
        + "xdstp:///envoy.config.listener.v3.Listener/h:80@%5Bx%5D",
    "xdstp://auth/envoy.config.listener.v3.Listener/%s, gr\u00fc\u00dfe%, "
        + "xdstp://auth/envoy.config.listener.v3.Listener/gr%C3%BC%C3%9Fe%25"
  })
  void templateOfTargetsWithoutAuthority(String template, String name, String listener) {
    XdsBootstrap bootstrap =
        bootstrap().clientDefaultListenerResourceNameTemplate(template).build();
    assertThat(target("", name).listener(bootstrap).getValue()).isEqualTo(listener);
  }

  @Test
  void authorityHasATemplateOfItsOwn() {
    XdsBootstrap bootstrap =
        bootstrap()
            .clientDefaultListenerResourceNameTemplate("unused/%s")
            .authority(
                "own",
                new Authority(
                    List.of(), false, "xdstp://own/envoy.config.listener.v3.Listener/client/%s"))
            .authority("usual", Authority.of())
            .build();
    assertThat(target("own", "a b").listener(bootstrap).getValue())
        .isEqualTo("xdstp://own/envoy.config.listener.v3.Listener/client/a%20b");
    assertThat(target("usual", "a/b").listener(bootstrap).getValue())
        .isEqualTo("xdstp://usual/envoy.config.listener.v3.Listener/a/b");
  }

  @Test
  void unknownAuthorityIsUnavailableAndSaysWhichAreKnown() {
    XdsBootstrap bootstrap = bootstrap().authority("known", Authority.of()).build();
    StatusOr<String> listener = target("other", "svc").listener(bootstrap);
    assertThat(listener.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(listener.getStatus().getDescription())
        .isEqualTo(
            "target xds://other/svc: unknown authority other"
                + " (expected: one of the bootstrap's authorities [known])");
  }

  @ParameterizedTest
  @CsvSource({"svc, svc", "/svc, svc", "/a/b, a%2Fb", "/h:80, h:80", "/[::1]:80, [::1]:80"})
  void serversAreCalledByTheEncodedName(String path, String authority) {
    assertThat(XdsTarget.of("xds:x", null, path).serviceAuthority()).isEqualTo(authority);
  }

  @Test
  void targetWithoutNameIsRefused() {
    assertThatThrownBy(() -> XdsTarget.of("xds:///", "", "/"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("target: xds:/// (expected: xds:///SERVICE or xds://AUTHORITY/SERVICE)");
  }

  private static XdsTarget target(String authority, String name) {
    return XdsTarget.of("xds://" + authority + "/" + name, authority, "/" + name);
  }

  private static XdsBootstrapBuilder bootstrap() {
    return XdsBootstrap.builder().server(ServerConfig.insecure("xds.example:443"));
  }
}
