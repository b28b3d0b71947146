// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.transport;

import dev.holdfast.base.Env;
import dev.holdfast.base.Problems;
import dev.holdfast.xds.client.Credentials;
import io.grpc.CallCredentials;
import io.grpc.ChannelCredentials;
import io.grpc.CompositeChannelCredentials;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The kinds of call credentials that this transport can give meaning to (gRFC A97). */
public final class CallSecurity {
  private static final String JWT_TOKEN_FILE = "jwt_token_file";

  private CallSecurity() {}

  /** What {@link Credentials#type} may be; other types are ignored. */
  public static List<String> supportedTypes() {
    return List.of(JWT_TOKEN_FILE);
  }

  /** Reports what is wrong with the settings of call credentials of a supported type. */
  public static void check(Credentials credentials, Problems problems) {
    file(credentials, problems);
  }

  private static @Nullable Path file(Credentials credentials, Problems problems) {
    Object value = credentials.config().get(JWT_TOKEN_FILE);
    if (value == null) {
      problems.at(JWT_TOKEN_FILE).required("missing (expected: a file name)");
      return null;
    }
    if (value instanceof String text && !text.isEmpty()) {
      try {
        return Path.of(text);
      } catch (InvalidPathException e) {
        problems.at(JWT_TOKEN_FILE).invalid("not a file name: " + e.getMessage());
        return null;
      }
    }
    problems.at(JWT_TOKEN_FILE).invalid("not a file name (expected: a string)");
    return null;
  }

  /** The credentials of a connection, with those of its calls. */
  static ChannelCredentials with(
      ChannelCredentials channel, List<Credentials> callCredentials, Env env) {
    ChannelCredentials all = channel;
    for (Credentials credentials : callCredentials) {
      all = CompositeChannelCredentials.create(all, open(credentials, env));
    }
    return all;
  }

  private static CallCredentials open(Credentials credentials, Env env) {
    Problems problems = new Problems();
    Path file = file(credentials, problems);
    if (file == null || !supportedTypes().contains(credentials.type())) {
      throw new IllegalArgumentException(
          "call credentials " + credentials.type() + ": " + Problems.describe(problems.list()));
    }
    return new TokenFile(file, env);
  }
}
