// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** All of Envoy's API is there, by name. */
class EnvoyTypesTest {
  private final EnvoyTypes types = EnvoyTypes.get();

  @Test
  void everyMessageThatIsListedCanBeFound() {
    assertThat(types.names()).hasSizeGreaterThan(1_000);
    for (String name : types.names()) {
      Descriptor type = types.find(name);
      assertThat(type).isNotNull();
      assertThat(type.getFullName()).isEqualTo(name);
      assertThat(types.findByUrl(EnvoyTypes.url(name))).isSameAs(type);
    }
  }

  @Test
  void itHoldsWhatPeopleAttachToRoutes() {
    assertThat(types.names())
        .contains(
            "envoy.config.route.v3.RouteConfiguration",
            "envoy.extensions.filters.http.lua.v3.LuaPerRoute",
            "envoy.extensions.filters.http.wasm.v3.Wasm",
            "envoy.extensions.filters.http.ext_proc.v3.ExtProcPerRoute",
            "envoy.config.cluster.v3.Cluster.TransportSocketMatch",
            "udpa.type.v1.TypedStruct",
            "xds.type.v3.TypedStruct",
            "google.protobuf.Duration");
  }

  @Test
  void itHoldsNothingOfVersion2AndNoEntriesOfMaps() {
    assertThat(types.names())
        .noneMatch(name -> name.startsWith("envoy.") && name.contains(".v2"))
        .doesNotContain("envoy.config.core.v3.Metadata.FilterMetadataEntry");
  }

  @Test
  void anUnknownNameIsNobody() {
    assertThat(types.find("envoy.Nope")).isNull();
    assertThat(types.find("")).isNull();
    assertThat(types.findByUrl("envoy.config.route.v3.Route")).isNull();
    assertThat(types.findByUrl("type.googleapis.com/")).isNull();
  }

  @Test
  void aNameThatIsAlmostRightLeadsToTheRightOne() {
    assertThat(types.nearest("envoy.extensions.filters.http.lua.v3.LuaPerRoot"))
        .isEqualTo("envoy.extensions.filters.http.lua.v3.LuaPerRoute");
    assertThat(types.nearest("envoy.config.filter.http.lua.v2.Lua"))
        .isEqualTo("envoy.extensions.filters.http.lua.v3.Lua");
    assertThat(types.nearest("envoy.extensions.filters.http.buffer.v2.BufferPerRoute"))
        .isEqualTo("envoy.extensions.filters.http.buffer.v3.BufferPerRoute");
    assertThat(types.nearest("envoy.extensions.filter.http.luas.v3.LuaPerRout"))
        .isEqualTo("envoy.extensions.filters.http.lua.v3.LuaPerRoute");
    assertThat(types.nearest("com.example.Something")).isNull();
    assertThat(types.nearest("x".repeat(100_000))).isNull();
  }

  @Test
  void threadsThatAskAtOnceGetTheSameDescriptors() {
    List<String> names = List.copyOf(types.names()).subList(0, 300);
    Set<Descriptor> found = ConcurrentHashMap.newKeySet();

    IntStream.range(0, 3_000)
        .parallel()
        .forEach(i -> found.add(ConfigFixture.type(names.get(i % names.size()))));

    assertThat(found).hasSize(names.size());
  }
}
