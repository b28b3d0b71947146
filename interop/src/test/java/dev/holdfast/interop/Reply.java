// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import dev.holdfast.testkit.DeltaResponse;
import dev.holdfast.testkit.SotwResponse;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.envoyproxy.envoy.service.discovery.v3.ResourceError;
import io.envoyproxy.envoy.service.discovery.v3.ResourceName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a server has to say, in either variant of the protocol. */
final class Reply {
  private final String typeUrl;
  private final String version;
  private final Map<String, Any> resources = new LinkedHashMap<>();
  private final List<String> removed = new ArrayList<>();
  private final List<ResourceError> errors = new ArrayList<>();

  Reply(String typeUrl, String version) {
    this.typeUrl = typeUrl;
    this.version = version;
  }

  Reply with(String name, Message resource) {
    return withAny(name, Any.pack(resource));
  }

  /** The name is only sent where the protocol has a place for it: around the resource, in Delta. */
  Reply withAny(String name, Any resource) {
    resources.put(name, resource);
    return this;
  }

  /** Says that a resource is no more: by omission, or in Delta by its name. */
  Reply without(String name) {
    removed.add(name);
    return this;
  }

  Reply error(String name, int code, String message) {
    return error(
        ResourceError.newBuilder()
            .setResourceName(ResourceName.newBuilder().setName(name))
            .setErrorDetail(com.google.rpc.Status.newBuilder().setCode(code).setMessage(message))
            .build());
  }

  Reply error(ResourceError error) {
    errors.add(error);
    return this;
  }

  String typeUrl() {
    return typeUrl;
  }

  DiscoveryResponse sotw(String nonce) {
    SotwResponse response = SotwResponse.of(typeUrl, version, nonce);
    resources.values().forEach(response::withRaw);
    return response.build().toBuilder().addAllResourceErrors(errors).build();
  }

  DeltaDiscoveryResponse delta(String nonce) {
    DeltaResponse response = DeltaResponse.of(typeUrl, version, nonce);
    resources.forEach(
        (name, resource) ->
            response.withRaw(
                Resource.newBuilder()
                    .setName(name)
                    .setVersion(version)
                    .setResource(resource)
                    .build()));
    response.without(removed.toArray(new String[0]));
    return response.build().toBuilder().addAllResourceErrors(errors).build();
  }
}
