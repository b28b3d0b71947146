// SPDX-License-Identifier: Apache-2.0
package com.example.storefront;

import com.example.greeter.proto.GreeterGrpc;
import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.grpc.resolver.HoldfastChannel;
import dev.holdfast.xds.client.ServerConfig;
import io.grpc.ManagedChannel;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The channel and its stub as beans. The bootstrap comes from the application's own properties. */
@Configuration(proxyBeanMethods = false)
class GreeterConfiguration {
  @Bean(destroyMethod = "shutdown")
  ManagedChannel greeterChannel(XdsProperties xds) {
    XdsBootstrap bootstrap =
        XdsBootstrap.builder()
            .nodeId(xds.nodeId())
            .server(ServerConfig.insecure(xds.server()))
            .build();
    return HoldfastChannel.forTarget("xds:///greeter.example.com", bootstrap).build();
  }

  @Bean
  GreeterGrpc.GreeterBlockingStub greeter(ManagedChannel greeterChannel) {
    return GreeterGrpc.newBlockingStub(greeterChannel);
  }
}
