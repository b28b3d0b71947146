// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The messages of Envoy's API by name: all of version 3, and what they are made of. Loaded when
 * first asked for. Thread-safe.
 */
public final class EnvoyTypes {
  private static final String URL_PREFIX = "type.googleapis.com/";
  private static final String RESOURCE = "envoy-api.binpb";

  private final DescriptorFiles files;
  private final Map<String, Descriptor> found = new ConcurrentHashMap<>();

  private EnvoyTypes(DescriptorFiles files) {
    this.files = files;
  }

  /** The API that comes with Holdfast. */
  public static EnvoyTypes get() {
    return Holder.TYPES;
  }

  private static final class Holder {
    static final EnvoyTypes TYPES = new EnvoyTypes(DescriptorFiles.of(resource()));

    private static ByteString resource() {
      try (InputStream in = EnvoyTypes.class.getResourceAsStream(RESOURCE)) {
        if (in == null) {
          throw new IllegalStateException(RESOURCE + ": not in the jar of Holdfast's Envoy API");
        }
        return UnsafeByteOperations.unsafeWrap(in.readAllBytes());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** How a message is named inside an Any. */
  public static String url(String name) {
    return URL_PREFIX + name;
  }

  /** The name in the URL of a type; null if it is not the URL of a type. */
  public static @Nullable String nameOf(String url) {
    return url.startsWith(URL_PREFIX) ? url.substring(URL_PREFIX.length()) : null;
  }

  /** The message of that full name; null if there is none. */
  public @Nullable Descriptor find(String name) {
    Descriptor known = found.get(name);
    if (known != null) {
      return known;
    }
    FileDescriptor file = files.fileOf(name);
    if (file == null) {
      return null;
    }
    String path =
        file.getPackage().isEmpty() ? name : name.substring(file.getPackage().length() + 1);
    Descriptor message = null;
    for (String step : path.split("\\.", -1)) {
      message =
          message == null ? file.findMessageTypeByName(step) : message.findNestedTypeByName(step);
      if (message == null) {
        throw new IllegalStateException(name + ": in the index, but not in " + file.getName());
      }
    }
    if (message != null) {
      found.put(name, message);
    }
    return message;
  }

  /** The message of that URL; null if there is none. */
  public @Nullable Descriptor findByUrl(String url) {
    String name = nameOf(url);
    return name == null ? null : find(name);
  }

  /** The full names of all messages, sorted. */
  public SortedSet<String> names() {
    return files.fileOfMessage().navigableKeySet();
  }

  /** The name that the author of an unknown one may have meant; null if there is none like it. */
  public @Nullable String nearest(String name) {
    return NameSuggestions.nearest(name, files.fileOfMessage().navigableKeySet());
  }
}
