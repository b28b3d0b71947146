// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.listener;

import io.envoyproxy.envoy.config.core.v3.Address;

/**
 * The address that a listener binds to.
 *
 * @param ip such as {@code 0.0.0.0}; {@code ::} is for both IP versions
 */
public record BindAddress(String ip, int port) {
  Address toProto() {
    Address.Builder address = Address.newBuilder();
    address
        .getSocketAddressBuilder()
        .setAddress(ip)
        .setPortValue(port)
        .setIpv4Compat(ip.equals("::"));
    return address.build();
  }
}
