// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.util.JsonFormat;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.files.FileSet;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.extensions.compression.gzip.compressor.v3.Gzip;
import io.envoyproxy.envoy.extensions.filters.http.compressor.v3.Compressor;
import io.envoyproxy.envoy.extensions.filters.http.cors.v3.Cors;
import io.envoyproxy.envoy.extensions.filters.http.cors.v3.CorsPolicy;
import io.envoyproxy.envoy.extensions.filters.http.grpc_web.v3.GrpcWeb;
import io.envoyproxy.envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit;
import io.envoyproxy.envoy.extensions.filters.http.lua.v3.Lua;
import io.envoyproxy.envoy.extensions.filters.http.rbac.v3.RBAC;
import io.envoyproxy.envoy.extensions.filters.http.router.v3.Router;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.upstreams.http.v3.HttpProtocolOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The resources of the example shop. After an intended change, write the expected text with {@code
 * -Dholdfast.golden.write=true} and review the difference.
 */
class GoldenTest {
  private static final Path SHOP = Path.of("../examples/shop");
  private static final Path EXPECTED = Path.of("src/test/resources/translate/shop.txt");
  private static final JsonFormat.Printer PRINTER =
      JsonFormat.printer()
          .usingTypeRegistry(
              TypeRegistry.newBuilder()
                  .add(HttpConnectionManager.getDescriptor())
                  .add(Compressor.getDescriptor())
                  .add(GrpcWeb.getDescriptor())
                  .add(Gzip.getDescriptor())
                  .add(Lua.getDescriptor())
                  .add(Cors.getDescriptor())
                  .add(CorsPolicy.getDescriptor())
                  .add(LocalRateLimit.getDescriptor())
                  .add(RBAC.getDescriptor())
                  .add(Router.getDescriptor())
                  .add(HttpProtocolOptions.getDescriptor())
                  .build())
          .preservingProtoFieldNames();

  @Test
  void shopMatchesGoldenFile() throws IOException {
    SortedMap<ObjectKey, @Nullable ConfigObject> objects = new TreeMap<>();
    FileSet.read(List.of(SHOP)).objects().forEach(object -> objects.put(object.key(), object));
    String text = text(Translation.empty(TranslationOptions.defaults()).with(objects));
    if (Boolean.getBoolean("holdfast.golden.write")) {
      Files.createDirectories(EXPECTED.getParent());
      Files.writeString(EXPECTED, text);
    }

    assertThat(text).isEqualTo(Files.readString(EXPECTED));
  }

  private static String text(Translation translation) {
    StringBuilder text = new StringBuilder();
    for (ResourceType type : ResourceType.ALL) {
      translation.snapshot().listed(type).forEach(resource -> add(text, resource));
      translation.snapshot().byName(type).forEach(resource -> add(text, resource));
    }
    translation
        .objects()
        .forEach(
            (key, object) -> {
              text.append("=== ")
                  .append(key)
                  .append(": ")
                  .append(object.participation())
                  .append('\n');
              object.problems().forEach(problem -> text.append("!! " + problem + "\n"));
              object.warnings().forEach(problem -> text.append("! " + problem + "\n"));
              object
                  .grpc()
                  .unavailable()
                  .forEach(problem -> text.append("gRPC calls fail on " + problem + "\n"));
              object
                  .grpc()
                  .ignored()
                  .forEach(problem -> text.append("gRPC clients ignore " + problem + "\n"));
              object
                  .footprint()
                  .forEach((id, digest) -> text.append("in ").append(id).append('\n'));
            });
    return text.toString();
  }

  private static void add(StringBuilder text, Resource resource) {
    text.append("=== ").append(resource).append('\n');
    TranslationText.places(resource).forEach(place -> text.append(place).append('\n'));
    text.append("needs ").append(resource.clusters()).append('\n');
    try {
      text.append(PRINTER.print(message(resource))).append('\n');
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  private static Message message(Resource resource) {
    return switch (resource.id().type()) {
      case CLUSTER -> TranslationText.parse(resource.body(), Cluster.parser());
      case ENDPOINTS -> TranslationText.parse(resource.body(), ClusterLoadAssignment.parser());
      case LISTENER -> TranslationText.parse(resource.body(), Listener.parser());
      case ROUTES -> TranslationText.parse(resource.body(), RouteConfiguration.parser());
      default -> throw new AssertionError(resource);
    };
  }
}
