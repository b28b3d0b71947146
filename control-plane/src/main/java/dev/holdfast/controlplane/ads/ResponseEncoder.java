// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import com.google.rpc.Code;
import com.google.rpc.Status;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import io.envoyproxy.envoy.config.core.v3.ControlPlane;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.ResourceError;
import io.envoyproxy.envoy.service.discovery.v3.ResourceName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * Responses as bytes. The bodies of resources are never copied here: a response is a rope of the
 * bytes that all streams share and of a few of its own. The order of fields is free in protobuf, so
 * what is the same for all streams stands together.
 */
final class ResponseEncoder {
  private static final int MOST_SHARED = 8;
  private static final int MOST_ENTRIES = 64;

  private final ControlPlane controlPlane;
  private final Map<ResourceType, ResponseHeader> sotwAbout = new EnumMap<>(ResourceType.class);
  private final Map<ResourceType, ResponseHeader> deltaAbout = new EnumMap<>(ResourceType.class);

  /**
   * All of a table as SotW sends it, for the few tables that many streams are sent. In one piece:
   * to copy thousands of small ones costs each stream more than to copy them together once.
   */
  private final Map<String, ByteString> tables =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ByteString> eldest) {
          return size() > MOST_SHARED;
        }
      };

  /** Resources as Delta sends them, for the few that many streams are sent. */
  private final Map<Resource, ByteString> entries =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Resource, ByteString> eldest) {
          return size() > MOST_ENTRIES;
        }
      };

  ResponseEncoder(String identifier) {
    controlPlane = ControlPlane.newBuilder().setIdentifier(identifier).build();
  }

  /** Something else is served: single resources that were sent before are hardly sent again. */
  void forgetEntries() {
    entries.clear();
  }

  /** A SotW response with everything of a table. */
  ByteString sotw(
      ResourceType type,
      ResourceTable table,
      String version,
      String nonce,
      SortedMap<String, String> missing) {
    ByteString shared =
        tables.computeIfAbsent(
            type.word() + table.version(),
            unused -> {
              List<Resource> resources = new ArrayList<>(table.size());
              table.forEach(resources::add);
              return inOnePiece(sotwResources(type, resources));
            });
    return sotw(type, shared, version, nonce, missing);
  }

  /** A SotW response with some resources. */
  ByteString sotw(
      ResourceType type,
      Collection<Resource> resources,
      String version,
      String nonce,
      SortedMap<String, String> missing) {
    return sotw(type, sotwResources(type, resources), version, nonce, missing);
  }

  private ByteString sotw(
      ResourceType type,
      ByteString resources,
      String version,
      String nonce,
      SortedMap<String, String> missing) {
    ByteString rest = ByteString.EMPTY;
    if (!missing.isEmpty()) {
      DiscoveryResponse.Builder errors = DiscoveryResponse.newBuilder();
      missing.forEach((name, reason) -> errors.addResourceErrors(error(name, reason)));
      rest = errors.build().toByteString();
    }
    ResponseHeader about =
        sotwAbout.computeIfAbsent(type, any -> ResponseHeader.sotw(any, controlPlane));
    return resources.concat(rest).concat(about.with(version, nonce));
  }

  private static ByteString inOnePiece(ByteString rope) {
    return UnsafeByteOperations.unsafeWrap(rope.toByteArray());
  }

  private static ByteString sotwResources(ResourceType type, Collection<Resource> resources) {
    ByteString url = text(1, type.typeUrl());
    List<ByteString> parts = new ArrayList<>(resources.size());
    for (Resource resource : resources) {
      parts.add(
          field(DiscoveryResponse.RESOURCES_FIELD_NUMBER, url.concat(field(2, resource.body()))));
    }
    return ByteString.copyFrom(parts);
  }

  /** A Delta response. */
  ByteString delta(
      ResourceType type,
      Collection<Resource> resources,
      SortedSet<String> removed,
      String version,
      String nonce,
      SortedMap<String, String> missing) {
    List<ByteString> parts = new ArrayList<>(resources.size());
    for (Resource resource : resources) {
      parts.add(
          resources.size() > MOST_ENTRIES
              ? deltaResource(resource)
              : entries.computeIfAbsent(resource, ResponseEncoder::deltaResource));
    }
    if (!removed.isEmpty() || !missing.isEmpty()) {
      DeltaDiscoveryResponse.Builder gone =
          DeltaDiscoveryResponse.newBuilder().addAllRemovedResources(removed);
      missing.forEach((name, reason) -> gone.addResourceErrors(error(name, reason)));
      parts.add(gone.build().toByteString());
    }
    ResponseHeader about =
        deltaAbout.computeIfAbsent(type, any -> ResponseHeader.delta(any, controlPlane));
    parts.add(about.with(version, nonce));
    return ByteString.copyFrom(parts);
  }

  private static ByteString deltaResource(Resource resource) {
    ByteString any = text(1, resource.id().type().typeUrl()).concat(field(2, resource.body()));
    ByteString entry =
        text(io.envoyproxy.envoy.service.discovery.v3.Resource.NAME_FIELD_NUMBER, resource.name())
            .concat(
                text(
                    io.envoyproxy.envoy.service.discovery.v3.Resource.VERSION_FIELD_NUMBER,
                    resource.version()))
            .concat(
                field(
                    io.envoyproxy.envoy.service.discovery.v3.Resource.RESOURCE_FIELD_NUMBER, any));
    return field(DeltaDiscoveryResponse.RESOURCES_FIELD_NUMBER, entry);
  }

  private static ResourceError error(String name, String reason) {
    return ResourceError.newBuilder()
        .setResourceName(ResourceName.newBuilder().setName(name))
        .setErrorDetail(Status.newBuilder().setCode(Code.NOT_FOUND_VALUE).setMessage(reason))
        .build();
  }

  /** A field that holds bytes. */
  private static ByteString field(int number, ByteString value) {
    return header(number, value.size()).concat(value);
  }

  private static ByteString text(int number, String value) {
    return field(number, ByteString.copyFromUtf8(value));
  }

  private static ByteString header(int number, int length) {
    int tag = (number << 3) | WireFormat.WIRETYPE_LENGTH_DELIMITED;
    byte[] bytes =
        new byte
            [CodedOutputStream.computeUInt32SizeNoTag(tag)
                + CodedOutputStream.computeUInt32SizeNoTag(length)];
    CodedOutputStream output = CodedOutputStream.newInstance(bytes);
    try {
      output.writeUInt32NoTag(tag);
      output.writeUInt32NoTag(length);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return UnsafeByteOperations.unsafeWrap(bytes);
  }
}
