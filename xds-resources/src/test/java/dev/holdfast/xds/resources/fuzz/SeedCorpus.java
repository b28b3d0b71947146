// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.fuzz;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.holdfast.xds.resources.testing.Protos;
import io.envoyproxy.envoy.config.route.v3.RetryPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/**
 * Writes the seed corpora. Run it from the module's directory with the test classes on the class
 * path; the files are checked in, so that every build runs over the same ones.
 */
final class SeedCorpus {
  private static final Path RESOURCES =
      Path.of("src", "test", "resources", "dev", "holdfast", "xds", "resources");

  private SeedCorpus() {}

  public static void main(String[] args) throws IOException {
    Map<String, ByteString> listeners = new LinkedHashMap<>();
    SeedTexts.LISTENERS.forEach((name, text) -> listeners.put(name, Protos.listener(text)));
    Map<String, ByteString> routes = new LinkedHashMap<>();
    SeedTexts.ROUTES.forEach((name, text) -> routes.put(name, Protos.routeConfiguration(text)));
    Map<String, ByteString> clusters = new LinkedHashMap<>();
    SeedTexts.CLUSTERS.forEach((name, text) -> clusters.put(name, Protos.cluster(text)));
    Map<String, ByteString> endpoints = new LinkedHashMap<>();
    SeedTexts.ENDPOINTS.forEach(
        (name, text) -> endpoints.put(name, Protos.clusterLoadAssignment(text)));
    Map<String, ByteString> retries = new LinkedHashMap<>();
    SeedTexts.RETRIES.forEach(
        (name, text) -> {
          Message message = Protos.merge(text, RetryPolicy.newBuilder());
          retries.put(name, message.toByteString());
        });
    String decoding = "decodingThrowsNothingAndIsBounded";
    write("fuzz/ListenerFuzzTest", decoding, listeners);
    write("fuzz/RouteConfigurationFuzzTest", decoding, routes);
    write("fuzz/ClusterFuzzTest", decoding, clusters);
    write("fuzz/ClusterLoadAssignmentFuzzTest", decoding, endpoints);
    write("fuzz/ResourceNamesFuzzTest", "peekingAgreesWithParsing", clusters);
    write("route/RetryPolicyFuzzTest", "conversionThrowsNothingAndKeepsItsPromises", retries);
  }

  /** The messages as they are; the first also cut, with bytes changed, and nested too deep. */
  private static void write(String test, String method, Map<String, ByteString> seeds)
      throws IOException {
    Path directory = RESOURCES.resolve(test + "Inputs").resolve(method);
    Files.createDirectories(directory);
    Map<String, ByteString> all = new LinkedHashMap<>(seeds);
    ByteString first = seeds.values().iterator().next();
    all.put("empty", ByteString.EMPTY);
    all.put("truncated", first.substring(0, first.size() - 1));
    all.put("twice", first.concat(first));
    all.put("stray-end-group", ByteString.fromHex("0a01630c"));
    all.put("not-utf8", ByteString.fromHex("0a02c328"));
    all.put("json", ByteString.copyFromUtf8("{\"name\": \"c\"}"));
    all.put("open-groups", groups());
    Random random = new Random(7);
    for (int i = 0; i < 3; i++) {
      byte[] bytes = first.toByteArray();
      for (int j = 0; j < 1 + bytes.length / 20; j++) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      all.put("mutated-" + i, ByteString.copyFrom(bytes));
    }
    for (Map.Entry<String, ByteString> seed : all.entrySet()) {
      Files.write(directory.resolve(seed.getKey()), seed.getValue().toByteArray());
    }
  }

  /** Groups that open and never close, deeper than protobuf allows. */
  private static ByteString groups() {
    byte[] bytes = new byte[500];
    Arrays.fill(bytes, (byte) 0x0b);
    return ByteString.copyFrom(bytes);
  }
}
