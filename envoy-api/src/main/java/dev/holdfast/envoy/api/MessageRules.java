// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What is asked of a message, worked out once per type.
 *
 * @param required the oneofs of which one field must be set
 * @param unchecked whether the rules are off, for this message and all in it
 * @param unsupported the rules that cannot be checked: none in the API that comes with Holdfast
 */
record MessageRules(
    List<FieldRules> fields,
    List<OneofDescriptor> required,
    boolean unchecked,
    List<String> unsupported) {
  private static final Map<Descriptor, MessageRules> KNOWN = new ConcurrentHashMap<>();

  static MessageRules of(Descriptor type) {
    MessageRules known = KNOWN.get(type);
    if (known == null) {
      known = read(type);
      KNOWN.put(type, known);
    }
    return known;
  }

  private static MessageRules read(Descriptor type) {
    List<String> unsupported = new ArrayList<>();
    return new MessageRules(
        type.getFields().stream().map(field -> FieldRules.of(field, unsupported::add)).toList(),
        type.getRealOneofs().stream().filter(ApiAnnotations::isRequired).toList(),
        ApiAnnotations.isUnchecked(type),
        List.copyOf(unsupported));
  }
}
