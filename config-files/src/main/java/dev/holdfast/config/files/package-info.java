// SPDX-License-Identifier: Apache-2.0
/** Objects from YAML and JSON files: read once, or watched. */
@NullMarked
package dev.holdfast.config.files;

import org.jspecify.annotations.NullMarked;
