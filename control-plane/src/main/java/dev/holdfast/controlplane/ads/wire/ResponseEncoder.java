// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

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
 * Serialises responses without copying the bodies of resources: a response is a rope of bytes that
 * all streams share and of a few bytes of its own. Protobuf allows any order of fields, so the
 * shared fields come first.
 */
public final class ResponseEncoder {
  private static final int MAX_TABLES = 8;
  private static final int MAX_ENTRIES = 64;

  private final ControlPlane controlPlane;
  private final Map<ResourceType, ResponseHeader> sotwHeaders = new EnumMap<>(ResourceType.class);
  private final Map<ResourceType, ResponseHeader> deltaHeaders = new EnumMap<>(ResourceType.class);

  /**
   * Whole tables as SotW sends them, for the few tables that many streams receive. Each is one
   * contiguous piece: writing thousands of small pieces would cost every stream more than joining
   * them once.
   */
  private final Map<String, ByteString> tables =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ByteString> eldest) {
          return size() > MAX_TABLES;
        }
      };

  /** Single resources as Delta sends them, for the few that many streams receive. */
  private final Map<Resource, ByteString> entries =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Resource, ByteString> eldest) {
          return size() > MAX_ENTRIES;
        }
      };

  /**
   * @param identifier names this control plane in every response
   */
  public ResponseEncoder(String identifier) {
    controlPlane = ControlPlane.newBuilder().setIdentifier(identifier).build();
  }

  /** Another snapshot is served: resources of earlier responses are hardly sent again. */
  public void clearEntries() {
    entries.clear();
  }

  /** A SotW response with all resources of a table. */
  public ByteString sotw(
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
              return contiguous(sotwResources(type, resources));
            });
    return sotw(type, shared, version, nonce, missing);
  }

  /** A SotW response with some resources. */
  public ByteString sotw(
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
    ResponseHeader header =
        sotwHeaders.computeIfAbsent(type, any -> ResponseHeader.sotw(any, controlPlane));
    return resources.concat(rest).concat(header.with(version, nonce));
  }

  private static ByteString contiguous(ByteString rope) {
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

  /**
   * A Delta response.
   *
   * @param missing reasons by name, sent as resource errors (xRFC TP3)
   */
  public ByteString delta(
      ResourceType type,
      Collection<Resource> resources,
      SortedSet<String> removed,
      String version,
      String nonce,
      SortedMap<String, String> missing) {
    List<ByteString> parts = new ArrayList<>(resources.size());
    for (Resource resource : resources) {
      parts.add(
          resources.size() > MAX_ENTRIES
              ? deltaResource(resource)
              : entries.computeIfAbsent(resource, ResponseEncoder::deltaResource));
    }
    if (!removed.isEmpty() || !missing.isEmpty()) {
      DeltaDiscoveryResponse.Builder rest =
          DeltaDiscoveryResponse.newBuilder().addAllRemovedResources(removed);
      missing.forEach((name, reason) -> rest.addResourceErrors(error(name, reason)));
      parts.add(rest.build().toByteString());
    }
    ResponseHeader header =
        deltaHeaders.computeIfAbsent(type, any -> ResponseHeader.delta(any, controlPlane));
    parts.add(header.with(version, nonce));
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

  /** A length-delimited field. */
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
