// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.libraries;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A library that an application may have in a version of its own.
 *
 * @param group its group
 * @param artifact its name
 * @param sample a class that every version has
 * @param oldest the oldest version that will do
 * @param expected the versions that will do, in words
 * @param needed what only those have: {@code class}, {@code class.CONSTANT} or {@code
 *     class.method(types)}
 */
record Library(
    String group,
    String artifact,
    String sample,
    String oldest,
    String expected,
    List<String> needed) {

  private static final String GRPC = "1.77.0";
  private static final String GRPC_EXPECTED = "1.77.0 or newer";

  /** Those that this one needs, in the order in which they are spoken of. */
  static final List<Library> ALL =
      List.of(
          grpc(
              "grpc-api",
              "io.grpc.NameResolver",
              "io.grpc.EquivalentAddressGroup.ATTR_LOCALITY_NAME",
              "io.grpc.NameResolver$Args.getArg(Key)",
              "io.grpc.NameResolver$Args.getNameResolverRegistry()",
              "io.grpc.StatusOr"),
          grpc("grpc-core", "io.grpc.internal.GrpcUtil"),
          grpc(
              "grpc-util",
              "io.grpc.util.ForwardingLoadBalancerHelper",
              "io.grpc.util.OutlierDetectionLoadBalancerProvider"),
          grpc("grpc-stub", "io.grpc.stub.ClientCalls", "io.grpc.stub.BlockingClientCall"),
          grpc("grpc-protobuf", "io.grpc.protobuf.ProtoUtils"),
          grpc(
              "grpc-netty-shaded",
              "io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder",
              "io.grpc.netty.shaded.io.grpc.netty.InternalProtocolNegotiators.tls(SslContext,String,X509TrustManager)"),
          new Library(
              "com.google.protobuf",
              "protobuf-java",
              "com.google.protobuf.Message",
              "3.25.0",
              "3.25, or 4.27 or newer",
              List.of(
                  "com.google.protobuf.GeneratedMessageV3",
                  "com.google.protobuf.MapFieldReflectionAccessor")),
          new Library(
              "com.google.code.gson",
              "gson",
              "com.google.gson.JsonElement",
              "2.11.0",
              "2.11.0 or newer",
              List.of("com.google.gson.Strictness")));

  private static Library grpc(String artifact, String sample, String... needed) {
    return new Library("io.grpc", artifact, sample, GRPC, GRPC_EXPECTED, List.of(needed));
  }

  /** What the class path has of it, or null if that will do. */
  @Nullable String problem(ClassLoader loader) {
    String found = LibraryVersion.of(this, loader);
    if (found == null) {
      return optional() ? null : "is missing";
    }
    boolean tooOld =
        !found.equals(LibraryVersion.UNKNOWN) && LibraryVersion.isBefore(found, oldest);
    return tooOld || !needed.stream().allMatch(each -> has(each, loader)) ? found : null;
  }

  /** Applications with another transport may leave this one out; only TLS of clusters needs it. */
  private boolean optional() {
    return artifact.equals("grpc-netty-shaded");
  }

  /** Where all are listed: name and version. */
  String describe(ClassLoader loader) {
    String found = LibraryVersion.of(this, loader);
    return artifact + " " + (found == null ? "is missing" : found);
  }

  private static boolean has(String needed, ClassLoader loader) {
    try {
      int parameters = needed.indexOf('(');
      int dot = needed.lastIndexOf('.', parameters < 0 ? needed.length() : parameters);
      String member = needed.substring(dot + 1);
      if (parameters < 0 && !isConstant(member)) {
        return load(needed, loader) != null;
      }
      Class<?> owner = load(needed.substring(0, dot), loader);
      return parameters < 0
          ? Arrays.stream(owner.getFields()).anyMatch(field -> field.getName().equals(member))
          : Arrays.stream(owner.getMethods()).anyMatch(method -> signature(method).equals(member));
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  private static String signature(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(Class::getSimpleName)
        .collect(Collectors.joining(",", method.getName() + "(", ")"));
  }

  private static boolean isConstant(String name) {
    return name.chars().noneMatch(Character::isLowerCase);
  }

  private static Class<?> load(String name, ClassLoader loader) throws ClassNotFoundException {
    return Class.forName(name, /* initialize= */ false, loader);
  }
}
