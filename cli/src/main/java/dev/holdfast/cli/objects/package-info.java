// SPDX-License-Identifier: Apache-2.0
/** Commands about objects in files. */
@NullMarked
package dev.holdfast.cli.objects;

import org.jspecify.annotations.NullMarked;
