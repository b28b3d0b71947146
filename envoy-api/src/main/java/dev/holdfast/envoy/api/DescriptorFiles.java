// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A set of compiled {@code .proto} files. What is kept of a file is its bytes and the names of its
 * messages; its descriptors, which take many times the memory, are built when the first of them is
 * asked for, together with those of the files it imports. Thread-safe.
 */
final class DescriptorFiles {
  private final Map<String, ByteString> bytes;
  private final NavigableMap<String, String> fileOfMessage;
  private final Map<String, FileDescriptor> built = new HashMap<>(); // guarded by this

  private DescriptorFiles(
      Map<String, ByteString> bytes, NavigableMap<String, String> fileOfMessage) {
    this.bytes = bytes;
    this.fileOfMessage = Collections.unmodifiableNavigableMap(fileOfMessage);
  }

  /**
   * @param set a serialised FileDescriptorSet that is complete in itself
   */
  static DescriptorFiles of(ByteString set) {
    Map<String, ByteString> bytes = new HashMap<>();
    NavigableMap<String, String> fileOfMessage = new TreeMap<>();
    try {
      for (ByteString file : MessageNames.files(set)) {
        String name = MessageNames.file(file);
        bytes.put(name, file);
        MessageNames.messages(file).forEach(message -> fileOfMessage.put(message, name));
      }
    } catch (IOException e) {
      throw new IllegalStateException("not a set of descriptors: " + e.getMessage(), e);
    }
    return new DescriptorFiles(bytes, fileOfMessage);
  }

  /** The full names of all messages and the files they are in. */
  NavigableMap<String, String> fileOfMessage() {
    return fileOfMessage;
  }

  /** The file in which a message is; null if there is no such message. */
  @Nullable FileDescriptor fileOf(String message) {
    String file = fileOfMessage.get(message);
    return file == null ? null : file(file);
  }

  private synchronized FileDescriptor file(String name) {
    FileDescriptor known = built.get(name);
    if (known != null) {
      return known;
    }
    ByteString source = bytes.get(name);
    if (source == null) {
      throw new IllegalStateException("descriptors of " + name + ": not in the set");
    }
    try {
      FileDescriptorProto file = FileDescriptorProto.parseFrom(source);
      FileDescriptor[] imports =
          file.getDependencyList().stream().map(this::file).toArray(FileDescriptor[]::new);
      FileDescriptor descriptor = FileDescriptor.buildFrom(file, imports);
      built.put(name, descriptor);
      return descriptor;
    } catch (InvalidProtocolBufferException | DescriptorValidationException e) {
      throw new IllegalStateException("descriptors of " + name + ": " + e.getMessage(), e);
    }
  }
}
