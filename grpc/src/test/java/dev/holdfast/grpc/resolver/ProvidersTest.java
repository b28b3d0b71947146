// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.resolver;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.LoadBalancerProvider;
import io.grpc.LoadBalancerRegistry;
import io.grpc.NameResolver;
import io.grpc.NameResolverRegistry;
import io.grpc.Uri;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Adding the dependency is enough, and changes nothing for other targets. */
class ProvidersTest {
  private final NameResolverRegistry registry = NameResolverRegistry.getDefaultRegistry();

  @Test
  void resolverIsFoundByItsScheme() {
    assertThat(registry.getProviderForScheme("xds"))
        .isInstanceOf(HoldfastXdsResolverProvider.class);
  }

  @Test
  void targetsWithoutASchemeStillGoToDns() {
    assertThat(registry.getDefaultScheme()).isEqualTo("dns");
  }

  @Test
  void itGoesBeforeTheOneOfGrpcXds() {
    assertThat(new HoldfastXdsResolverProvider().priority()).isGreaterThan(4);
  }

  @Test
  void rootBalancerIsFoundByItsName() {
    LoadBalancerProvider provider =
        LoadBalancerRegistry.getDefaultRegistry().getProvider("holdfast_xds");
    assertThat(provider).isInstanceOf(XdsRootBalancerProvider.class);
  }

  @ParameterizedTest
  @CsvSource({
    "xds:///svc.example, svc.example",
    "xds:svc.example, svc.example",
    "xds:/svc.example, svc.example",
    "xds://authority/a/b, a%2Fb",
    "xds:///h:80, h:80"
  })
  void bothKindsOfUriAreUnderstood(String target, String authority) {
    NameResolver.Args args = Channels.args();
    HoldfastXdsResolverProvider provider = new HoldfastXdsResolverProvider();
    NameResolver ofUri = provider.newNameResolver(Uri.create(target), args);
    NameResolver ofJavaUri = provider.newNameResolver(URI.create(target), args);
    assertThat(ofUri).isNotNull();
    assertThat(ofJavaUri).isNotNull();
    assertThat(ofUri.getServiceAuthority()).isEqualTo(authority);
    assertThat(ofJavaUri.getServiceAuthority()).isEqualTo(authority);
  }

  @Test
  void otherSchemesAreLeftAlone() {
    HoldfastXdsResolverProvider provider = new HoldfastXdsResolverProvider();
    assertThat(provider.newNameResolver(URI.create("dns:///x"), Channels.args())).isNull();
    assertThat(provider.newNameResolver(Uri.create("dns:///x"), Channels.args())).isNull();
  }
}
