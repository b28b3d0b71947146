// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import dev.holdfast.base.Problem;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext;
import io.envoyproxy.envoy.extensions.upstreams.http.v3.HttpProtocolOptions;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages of generated classes are judged as the same bytes are without such classes. */
class GeneratedMessagesTest {
  private static final int SAMPLES = 150;
  private static final List<String> TEXTS = List.of("", "a", "x-a", "a\nb", "10.0.0.1", "no/");
  private static final List<Integer> NUMBERS = List.of(0, 1, -1, 200, 70_000);

  static Stream<Message> roots() {
    return Stream.of(
        RouteConfiguration.getDefaultInstance(),
        Cluster.getDefaultInstance(),
        Listener.getDefaultInstance(),
        ClusterLoadAssignment.getDefaultInstance(),
        Secret.getDefaultInstance(),
        HttpConnectionManager.getDefaultInstance(),
        HttpProtocolOptions.getDefaultInstance(),
        UpstreamTlsContext.getDefaultInstance(),
        DiscoveryResponse.getDefaultInstance());
  }

  @ParameterizedTest
  @MethodSource("roots")
  void haveTheSameProblemsEitherWay(Message root) throws Exception {
    Random random = new Random(11);
    for (int i = 0; i < SAMPLES; i++) {
      Message.Builder builder = root.newBuilderForType();
      fill(builder, random, 5);
      Message generated = builder.build();
      Message loaded =
          DynamicMessage.parseFrom(
              ConfigFixture.type(root.getDescriptorForType().getFullName()),
              generated.toByteString());

      List<Problem> problems = Rules.check(generated);
      assertThat(problems).isEqualTo(Rules.check(loaded));
    }
  }

  @Test
  void theSamplesAreOfAllSorts() {
    Random random = new Random(11);
    Set<String> types = new TreeSet<>();
    int[] broken = {0};
    roots()
        .forEach(
            root -> {
              for (int i = 0; i < SAMPLES; i++) {
                Message.Builder builder = root.newBuilderForType();
                fill(builder, random, 5);
                broken[0] += Rules.check(builder.build()).size();
                collect(builder.build(), types);
              }
            });

    assertThat(types).hasSizeGreaterThan(200);
    assertThat(broken[0]).isGreaterThan(1_000);
  }

  private static void collect(Message message, Set<String> types) {
    types.add(message.getDescriptorForType().getFullName());
    message
        .getAllFields()
        .forEach(
            (field, value) -> {
              if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                List<?> values = field.isRepeated() ? (List<?>) value : List.of(value);
                values.forEach(element -> collect((Message) element, types));
              }
            });
  }

  private static void fill(Message.Builder message, Random random, int depth) {
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      if (random.nextInt(4) > 0) {
        continue;
      }
      if (!field.isRepeated()) {
        Object value = value(message, field, random, depth);
        if (value != null) {
          message.setField(field, value);
        }
      } else if (!field.isMapField()) {
        for (int i = random.nextInt(3); i > 0; i--) {
          Object value = value(message, field, random, depth);
          if (value != null) {
            message.addRepeatedField(field, value);
          }
        }
      } else if (depth > 0) {
        Message.Builder entry = message.newBuilderForField(field);
        fill(entry, random, depth - 1);
        message.addRepeatedField(field, entry.build());
      }
    }
  }

  private static @Nullable Object value(
      Message.Builder message, FieldDescriptor field, Random random, int depth) {
    int number = NUMBERS.get(random.nextInt(NUMBERS.size()));
    return switch (field.getJavaType()) {
      case INT -> number;
      case LONG -> (long) number;
      case FLOAT -> (float) number;
      case DOUBLE -> (double) number;
      case BOOLEAN -> random.nextBoolean();
      case STRING -> TEXTS.get(random.nextInt(TEXTS.size()));
      case BYTE_STRING -> ByteString.copyFromUtf8(TEXTS.get(random.nextInt(TEXTS.size())));
      case ENUM -> field.getEnumType().findValueByNumberCreatingIfUnknown(random.nextInt(9));
      case MESSAGE -> {
        if (depth == 0) {
          yield null;
        }
        Message.Builder nested = message.newBuilderForField(field);
        fill(nested, random, depth - 1);
        yield nested.build();
      }
    };
  }
}
